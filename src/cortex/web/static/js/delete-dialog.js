// The last question before a note is deleted for good: what goes with it, and which conversations quoted it.

import { call } from "./api.js";
import { el } from "./dom.js";
import { langOf, t } from "./i18n.js";
import * as store from "./note-store.js";
import { problemText } from "./problem-text.js";

const SHOWN = 8;

// Gives whether the note is gone.
export async function deleteForGood(note) {
  const answers = await store.answersWith(note.id).catch(() => []);
  const chosen = new Map(answers.map(({ conversation_id: id, question }) => [id, { question, box: el("input", { type: "checkbox" }) }]));
  const offered = chosen.size > 0 && el("fieldset", { class: "dialog-choices" }, el("legend", {}, t("trash.conversations")),
    [...chosen.values()].slice(0, SHOWN).map(({ question, box }) => el("label", { class: "check" }, box, el("span", { lang: langOf(question) }, question))));
  return asked(t("trash.sure", { n: answers.length }), note.title, offered, async () => {
    await store.deleteForGood(note.id);
    for (const [id, { box }] of chosen) if (box.checked) await call(`/api/conversations/${id}`, { method: "DELETE" });
  });
}

export function emptyTrash(n) {
  return asked(t("trash.sure_all", { n }), "", null, store.emptyTrash);
}

function asked(question, title, more, act) {
  return new Promise((settle) => {
    let done = false;
    const error = el("p", { class: "field-error", role: "alert" });
    const remove = el("button", { type: "button", class: "button danger", on: { click: async () => {
      remove.disabled = true;
      try {
        await act();
        done = true;
        dialog.close();
      } catch (problem) {
        error.textContent = t("answer.failed", { reason: problemText(problem) });
        remove.disabled = false;
      }
    } } }, t("trash.delete"));
    const cancel = el("button", { type: "button", class: "button", autofocus: true, on: { click: () => dialog.close() } }, t("recent.cancel"));
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "delete-heading" }, el("div", { class: "dialog-form" },
      title && el("p", { class: "muted", lang: langOf(title) }, title), el("h2", { id: "delete-heading" }, question), more, error,
      el("div", { class: "dialog-buttons" }, el("span", { class: "apart" }, cancel, remove))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      settle(done);
    });
    document.body.append(dialog);
    dialog.showModal();
    cancel.focus();
  });
}
