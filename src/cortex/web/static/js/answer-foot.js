// Below an answer: what to think of it, what left this computer, copy, and why these sources.

import { answerAsMarkdown } from "./copy-markdown.js";
import { el, icon } from "./dom.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";
import { whyView } from "./why.js";

const COPIED_MS = 2000;

export function answerFoot({ turn, text, done, weak }) {
  return [
    weak && el("p", { class: "notice warn" }, t("answer.weak")),
    el("div", { class: "answer-actions" }, copyButton(() => answerAsMarkdown(turn.question, text, turn.evidence.sources)),
      el("span", { class: "muted" }, [sentLine(done.sent), tookLine(done.timings_ms)].filter(Boolean).join(" · "))),
    whyView(turn.question, turn.lookedIn),
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

function sentLine(sent) {
  if (!sent?.provider) return t("answer.local");
  const hidden = Object.values(sent.hidden ?? {}).reduce((sum, n) => sum + n, 0);
  return t("answer.sent", { provider: sent.provider, n: sent.passages, m: hidden });
}

function tookLine(timings) {
  const total = timings?.total ?? Object.values(timings ?? {}).reduce((sum, ms) => sum + ms, 0);
  return total ? t("answer.took", { n: Math.max(0.1, Math.round(total / 100) / 10) }) : "";
}
