// The bar of tools: what the keys do, for fingers. On a phone it rides on top of the keyboard.

import { by } from "./dom.js";
import { toggleMarks, togglePrefix } from "./text-edits.js";
import { selectionOf, type } from "./typing.js";

const HEADING = /^#{1,6} /;
const TASK = /^[-*+] (?:\[[ xX]\] )?/;

export function editorTools(field) {
  const put = (text) => {
    const { start, end } = selectionOf(field);
    type(field, { from: start, to: end, text });
  };
  const tools = {
    bold: () => type(field, toggleMarks(selectionOf(field), "**")),
    heading: () => type(field, togglePrefix(selectionOf(field), "## ", HEADING)),
    tag: () => put(/[\w#]/.test(field.value[field.selectionStart - 1] ?? "") ? " #" : "#"),
    link: () => put("[["),
    task: () => type(field, togglePrefix(selectionOf(field), "- [ ] ", TASK)),
  };
  const bar = by("editor-tools");
  bar.addEventListener("click", (event) => {
    const name = event.target.closest("[data-tool]")?.dataset.tool;
    if (!name || field.readOnly) return;
    field.focus();
    tools[name]?.();
  });
  rideOnKeyboard();
}

// Where the browser lays its keyboard over the page, the page ends above it.
function rideOnKeyboard() {
  const view = window.visualViewport;
  const follow = () => document.body.style.setProperty("--keyboard", `${Math.max(0, Math.round(innerHeight - view.height - view.offsetTop))}px`);
  view?.addEventListener("resize", follow);
  view?.addEventListener("scroll", follow);
}
