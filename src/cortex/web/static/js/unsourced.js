// Dots under a sentence whose source could not be found: from the end of the sentence (or chip) before it to the mark.

import { el } from "./dom.js";

const ENDS = /[.!?。！？…][”’"'」』)]*\s*(?=[^\s\u2060])/gu;

export function underlineUnsourced(element) {
  for (const mark of element.querySelectorAll(".unsourced-mark")) {
    const nodes = [];
    for (let node = mark.previousSibling; node && !isBoundary(node); node = node.previousSibling) {
      const cut = node.nodeType === Node.TEXT_NODE ? lastEnd(node.data) : 0;
      nodes.unshift(cut ? node.splitText(cut) : node);
      if (cut) break;
    }
    if (nodes.length === 0) continue;
    const sentence = el("span", { class: "unsourced" });
    nodes[0].before(sentence);
    sentence.append(...nodes);
  }
}

function isBoundary(node) {
  return node.nodeType === Node.ELEMENT_NODE && node.matches("br, .chip, .unsourced-mark");
}

function lastEnd(text) {
  let end = 0;
  for (const match of text.matchAll(ENDS)) end = match.index + match[0].length;
  return end;
}
