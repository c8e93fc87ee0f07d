// What a person decides about two versions of one note: of a save that lost its race, or of a copy that was kept beside the note.

import { conflictView } from "./conflict.js";
import { by } from "./dom.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";
import * as store from "./note-store.js";
import { fieldsOf } from "./note-text.js";
import { problemText } from "./problem-text.js";

// Shows both; `choose(fields)` hears what was decided, once.
export function decideBetween({ theirs, mine, base = null }, choose) {
  const editor = by("editor");
  // A title that was only taken from the text is none.
  const other = { ...theirs, ...fieldsOf(theirs), titled: true };
  const view = conflictView({ theirs: other, mine, base }, (chosen) => {
    view.remove();
    editor.classList.remove("deciding");
    choose(fieldsOf(chosen));
  });
  editor.querySelector(".conflict")?.remove();
  editor.classList.add("deciding");
  by("editor-notices").after(view);
  view.querySelector("h2").focus();
}

// The note and its copy: what is decided on is the note's text, and the copy goes into the trash.
export async function compareCopies(note, editor) {
  const other = note.conflict_of ? await store.byKey(note.conflict_of) : await store.get(note.copies[0]);
  await editor.flush();
  const [whole, copy] = note.conflict_of ? [other, editor.note] : [editor.note, other];
  const { title } = fieldsOf(whole);
  decideBetween({ theirs: { ...other, title, titled: true }, mine: { ...editor.read(), title } }, async (fields) => {
    const text = { ...fields, title };
    try {
      if (whole === other) await store.save(whole.id, whole.version, text);
      else await editor.settle(whole, text);
      await store.trash(copy.id);
    } catch (problem) {
      return editor.notices.say("copies", t("answer.failed", { reason: problemText(problem) }), [["conflict.compare", () => compareCopies(note, editor)]]);
    }
    if (whole === other) return location.assign(`/notes/${whole.id}`);
    editor.notices.say("copies", null);
    return announce(t("conflict.done"));
  });
}
