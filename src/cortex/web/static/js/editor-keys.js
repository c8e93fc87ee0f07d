// Keys of the text: lists go on by themselves, Mod+] and Mod+[ move lines in and out, Mod+B and Mod+I mark; Tab leaves, as everywhere.

import { newLine, shiftLines, toggleMarks } from "./text-edits.js";
import { selectionOf, type } from "./typing.js";

// `on` is {save, read}; a key of an input method is never taken.
export function editorKeys(field, { completion, composing, save, read }) {
  field.addEventListener("keydown", (event) => {
    if (composing(event) || field.readOnly) return;
    if (completion.key(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey && !isMod(event)) edit(event, field, newLine(selectionOf(field)));
    else if (isMod(event) && !event.altKey && !event.shiftKey) edit(event, field, withMod(event, selectionOf(field)));
  });
  field.closest(".editor").addEventListener("keydown", (event) => {
    if (composing(event) || !isMod(event) || event.altKey || event.shiftKey) return;
    if (event.code === "KeyS") act(event, save);
    else if (event.key === "Enter") act(event, read);
  });
}

// By position, so that they work under any layout.
function withMod(event, selection) {
  if (event.code === "BracketRight") return shiftLines(selection, true);
  if (event.code === "BracketLeft") return shiftLines(selection, false);
  if (event.code === "KeyB") return toggleMarks(selection, "**");
  return event.code === "KeyI" ? toggleMarks(selection, "*") : null;
}

const isMod = (event) => event.ctrlKey !== event.metaKey;

function edit(event, field, change) {
  if (!change) return;
  event.preventDefault();
  type(field, change);
}

function act(event, run) {
  event.preventDefault();
  run();
}
