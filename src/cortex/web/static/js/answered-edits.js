// What Cortex made of edits that this device had kept, and what comes from elsewhere: taken into the editor where no hand is on the text.

import { Problem } from "./api.js";
import { fieldsOf, sameFields, sameText } from "./note-text.js";
import { save as saveNote } from "./note-store.js";

const COMPOSING_MS = 500;

// `change` is what was sent: `fields`, written over `from`. `left` says whether more of the note waits.
export function answered(save, { fields: text, from }, { outcome, note, copy, problem }, left) {
  if (save.note === null || save.held) return;
  if (problem) return refused(save, new Problem(problem.status ?? 422, problem));
  if (copy) return divided(save, note, copy, { text, from });
  const whole = sameText(fieldsOf(note), text);
  // Beside a text that was put together from two, what stands here was written over an earlier version: the next save says so.
  save.note = { ...note, version: whole ? note.version : save.note.version };
  save.waits = left;
  if (left || save.dirty) return;
  if (whole) save.accept(save.note, save.base, outcome);
  else soon(save, note, outcome);
}

// A later version came from elsewhere.
export function adopt(save, note) {
  if (save.note === null || save.held) return;
  const known = note.id === save.note.id && note.version <= save.note.version;
  if (!known || Boolean(note.trashed_at) !== Boolean(save.note.trashed_at)) soon(save, note);
}

// Nothing is replaced under a hand that writes: then the next save puts the two together.
function soon(save, note, outcome) {
  save.newer = { show: () => soon(save, note, outcome) };
  if (save.busy || save.dirty || save.waits || save.composing) return;
  if (note.trashed_at) {
    save.note = note;
    return save.set("trashed", { theirs: note });
  }
  const fields = fieldsOf(note);
  if (!sameFields(fields, save.text)) save.write(fields);
  save.accept(note, fields, outcome);
}

function refused(save, problem) {
  save.problem = problem;
  save.set("refused", { problem });
}

// Both versions are there, as two notes: what stands here is the second one, until a person decides.
function divided(save, note, copy, { text, from }) {
  if (save.composing) return setTimeout(() => divided(save, note, copy, { text, from }), COMPOSING_MS);
  const mine = save.text;
  if (!sameFields(mine, text)) saveNote(copy, mine, { from: text });
  return save.hold(note, { theirs: note, mine, base: from, copy });
}
