// An answer as a note: its text with its sources, named by its question.

import { usedIn } from "./copy-markdown.js";
import { el, icon } from "./dom.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";
import { create, newKey } from "./note-store.js";
import { problemText } from "./problem-text.js";

const LONGEST_TITLE = 200;

// Gives what stands in place of the button: the way to the note, or what went wrong and another try.
export async function saveAnswer(turn, text, key = newKey()) {
  try {
    const title = [...turn.question.replace(/\s+/g, " ").trim()].slice(0, LONGEST_TITLE).join("");
    const note = await create({ key, title, body: bodyOf(turn, text), answer_id: turn.answerId });
    announce(t("answer.saved"));
    return el("a", { class: "button quiet", href: `/notes/${note.id}` }, icon("notes"), t("answer.open_note"));
  } catch (problem) {
    const place = el("span", { class: "answer-unsaved", role: "alert" }, t("answer.not_saved", { reason: problemText(problem) }), " ");
    place.append(el("button", { type: "button", class: "link", on: { click: async () => place.replaceWith(await saveAnswer(turn, text, key)) } }, t("ask.try_again")));
    return place;
  }
}

// Its sources are links by name, so that each of them knows who quotes it. A title with one of these signs cannot be linked.
function bodyOf(turn, text) {
  const lines = usedIn(text, turn.evidence.sources).map(({ n, title }) => `- [${n}] ${/[[\]|#]/.test(title) ? title : `[[${title}]]`}`);
  return `${[text.trim(), lines.join("\n")].filter(Boolean).join("\n\n---\n\n")}\n`;
}
