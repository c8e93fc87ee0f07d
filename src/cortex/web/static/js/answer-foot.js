// Below an answer: what to think of it, what left this computer, copy, and why these sources.

import { answerAsMarkdown } from "./copy-markdown.js";
import { el, icon } from "./dom.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";
import { whyView } from "./why.js";

const COPIED_MS = 2000;

export function answerFoot({ turn, text, done, weak }) {
  const unsourced = [...turn.citations.values()].some((citation) => !citation.verified);
  return [
    weak && el("p", { class: "notice warn" }, t("answer.weak")),
    unsourced && el("p", { class: "notice warn" }, t("answer.unsourced_mark")),
    el("p", { class: "muted" }, sentLine(done)),
    el("div", { class: "answer-actions" }, whyView(turn.question, turn.lookedIn),
      el("div", { class: "answer-buttons" }, text && saveButton(turn, text), copyButton(() => answerAsMarkdown(turn.question, text, turn.evidence.sources)))),
  ].filter(Boolean);
}

function copyButton(text) {
  const label = el("span", {}, t("answer.copy"));
  return el("button", { type: "button", class: "button quiet", on: { click: async () => {
    await navigator.clipboard.writeText(text());
    label.textContent = t("answer.copied");
    announce(t("answer.copied"));
    setTimeout(() => (label.textContent = t("answer.copy")), COPIED_MS);
  } } }, icon("copy"), label);
}

// The note says that it came from an answer, and is no evidence for the next one.
function saveButton(turn, text) {
  const button = el("button", { type: "button", class: "button quiet", on: { click: async () => {
    button.disabled = true;
    const { saveAnswer } = await import("./save-answer.js").catch(() => ({}));
    button.replaceWith(saveAnswer ? await saveAnswer(turn, text) : button);
    button.disabled = false;
  } } }, icon("notes"), t("answer.save"));
  return button;
}

function sentLine({ sent, timings_ms: timings }) {
  if (!sent?.provider) return timings?.total ? t("answer.local_in", { s: Math.max(0.1, Math.round(timings.total / 100) / 10) }) : t("answer.local");
  const hidden = Object.values(sent.hidden ?? {}).reduce((sum, n) => sum + n, 0);
  return t("answer.sent", { provider: sent.provider, n: sent.passages, m: hidden });
}
