// Changes to a field as if they were typed, so that the browser's own undo takes them back.

export function type(field, { from, to, text, start = from + text.length, end = start }) {
  if (from === to && text === "") return;
  if (document.activeElement === field) {
    field.setSelectionRange(from, to);
    const typed = document.execCommand(text ? "insertText" : "delete", false, text);
    if (!typed) replace(field, from, to, text);
    field.setSelectionRange(start, end);
  } else {
    // Somewhere else is typed into: the focus is not taken from there.
    replace(field, from, to, text);
  }
}

function replace(field, from, to, text) {
  field.setRangeText(text, from, to, "preserve");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

// The whole text anew, changed only where it differs: the caret stays, and one undo brings the old text back.
export function retype(field, text) {
  const old = field.value;
  if (old === text) return;
  let from = 0;
  while (from < old.length && from < text.length && old[from] === text[from]) from += 1;
  if (isHalf(old.charCodeAt(from - 1))) from -= 1;
  let tail = 0;
  while (tail < old.length - from && tail < text.length - from && old.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  if (isHalf(old.charCodeAt(old.length - tail - 1))) tail = Math.max(0, tail - 1);
  const caret = field.selectionStart;
  const place = caret <= from ? caret : Math.max(from, caret + text.length - old.length);
  type(field, { from, to: old.length - tail, text: text.slice(from, text.length - tail), start: place });
}

// The first half of an emoji or a rare character: cut after it, and it is none.
const isHalf = (code) => code >= 0xd800 && code <= 0xdbff;

export const selectionOf = (field) => ({ value: field.value, start: field.selectionStart, end: field.selectionEnd });
