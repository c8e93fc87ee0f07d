// Keys that work on the whole page: Mod+K or "/" to the box. By position, so that they work under any layout.

import { by } from "./dom.js";

export function toBoxByKey() {
  document.addEventListener("keydown", (event) => {
    const mod = event.code === "KeyK" && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey;
    const slash = event.code === "Slash" && !event.metaKey && !event.ctrlKey && !event.altKey && !event.shiftKey;
    if (event.isComposing || (!mod && !(slash && !inField(event.target)))) return;
    event.preventDefault();
    const box = by("question");
    if (box) box.focus();
    else location.assign("/");
  });
}

function inField(target) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}
