// Below a refusal: where was looked and what could not be looked at, and the nearest notes, each of which can be asked by itself.

import { passageUrl } from "./cite-chip.js";
import { el } from "./dom.js";
import { langOf, t } from "./i18n.js";
import { scopeLabel } from "./scope.js";
import { sourceFacts } from "./source-facts.js";

export function refusalView({ terms, inScope, sources, unread, onAskNote, onSearchAll }) {
  return el("div", { class: "refusal" },
    inScope !== undefined && el("p", { class: "muted" }, t("refusal.searched", { scope: scopeLabel(terms), n: inScope })),
    unread && el("p", { class: "notice warn" }, unreadText(unread)),
    terms.length > 0 && el("p", {}, el("button", { type: "button", class: "button", on: { click: onSearchAll } }, t("refusal.search_all"))),
    sources.length > 0 && el("h3", { class: "refusal-head" }, t("refusal.nearest")),
    sources.length > 0 && el("ul", { class: "nearest" }, sources.map((source) => nearest(source, onAskNote))));
}

function unreadText({ notes, passages }) {
  return notes.waiting ? t("refusal.notes_unread", { n: notes.waiting, m: notes.total })
    : t("refusal.passages_unread", { n: passages.waiting, m: passages.total });
}

function nearest(source, onAskNote) {
  const { start, end } = source.passage;
  return el("li", {},
    el("a", { href: passageUrl(source.document_id, start, end), lang: langOf(source.title, source.lang) }, source.title),
    el("span", { class: "muted" }, sourceFacts(source)),
    el("button", { type: "button", class: "button", "aria-label": `${t("refusal.ask_note")}: ${source.title}`,
      on: { click: () => onAskNote(source) } }, t("refusal.ask_note")));
}
