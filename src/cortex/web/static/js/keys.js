// Keys that work on the whole page: Mod+K or "/" to the box. By position, so that they work under any layout; they can be switched off.

import { by } from "./dom.js";

const OFF = "cortex.keys-off";

export function keysAreOn() {
  try {
    return localStorage.getItem(OFF) === null;
  } catch {
    return true;
  }
}

export function setKeys(on) {
  if (on) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, "1");
}

export function toBoxByKey() {
  document.addEventListener("keydown", (event) => {
    const mod = event.code === "KeyK" && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey;
    const slash = event.code === "Slash" && !event.metaKey && !event.ctrlKey && !event.altKey && !event.shiftKey;
    if (event.isComposing || (!mod && !(slash && !inField(event.target))) || !keysAreOn() || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    const box = by("question") ?? by("find-q") ?? by("notes-q");
    if (box?.checkVisibility()) box.focus();
    else location.assign("/");
  });
}

function inField(target) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}
