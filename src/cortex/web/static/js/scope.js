// Scope strings: `weekly:20241-20252;topic:Kafka`. Terms must all hold; one of each kind, tags excepted.

import { dateText, quartersText } from "./dates.js";
import { t } from "./i18n.js";

export function parseScope(text) {
  return text.split(";").map((part) => part.trim()).filter(Boolean).map(parseTerm);
}

function parseTerm(part) {
  const colon = part.indexOf(":");
  if (colon < 0) return { kind: part, name: "" };
  return { kind: part.slice(0, colon), name: decoded(part.slice(colon + 1)) };
}

function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export function formatTerm({ kind, name }) {
  return name ? `${kind}:${name.replace(/[%;]/g, encodeURIComponent)}` : kind;
}

export function formatScope(terms) {
  return terms.map(formatTerm).join(";");
}

// The scope with one more term: it replaces a term of its kind, tags add up.
export function withTerm(terms, term) {
  const others = terms.filter((other) => (term.kind === "tag" ? formatTerm(other) !== formatTerm(term) : other.kind !== term.kind));
  return [...others, term];
}

// The scope that was chosen for an answer: without what was guessed from its question.
export function chosenScope({ scope, scope_terms: terms }) {
  return terms ? terms.filter((term) => !term.inferred).map(({ term }) => term).join(";") : scope ?? "";
}

export function withoutTerm(terms, term) {
  return terms.filter((other) => formatTerm(other) !== formatTerm(term));
}

export function labelOf({ kind, name, label }) {
  if (label) return label;
  if (kind === "weekly") return name ? t("scope.weekly_range", { range: quarters(name) }) : t("scope.weekly");
  if (kind === "date") return name.split("..").map(dateText).join(" – ");
  if (kind === "tag") return `#${name}`;
  if (kind === "note") return t("scope.note", { name });
  return name;
}

function quarters(name) {
  const [first, last = first] = name.split("-").map(Number);
  return quartersText(first, last);
}

// In the middle of a sentence.
export function scopeLabel(terms) {
  return terms.length ? t("scope.quoted", { name: terms.map(labelOf).join(" · ") }) : t("scope.everything");
}
