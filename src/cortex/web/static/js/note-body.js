// A note's HTML as nodes of this page. The server made it safe; it is parsed in a document of its own, where nothing is loaded or run.

import { el } from "./dom.js";
import { noteImage } from "./note-image.js";

export function noteBody({ html, title, document_id: id }) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const table of parsed.querySelectorAll("table")) {
    const box = el("div", { class: "table-box", tabindex: "0" });
    table.replaceWith(box);
    box.append(table);
  }
  for (const place of parsed.querySelectorAll(".local-image, .remote-image")) place.replaceWith(noteImage(place, id));
  for (const code of parsed.querySelectorAll("pre")) code.tabIndex = 0;
  for (const link of parsed.querySelectorAll('a[href^="http"]')) {
    link.rel = "noopener noreferrer";
    link.target = "_blank";
  }
  return settledHeadings([...parsed.body.childNodes], title.trim());
}

// The page's h1 is the title: a first heading that repeats it is hidden, the note's own h1 come a level down.
function settledHeadings(nodes, title) {
  const [first] = nodes.filter((node) => node.nodeType === Node.ELEMENT_NODE);
  if (first?.matches("h1") && first.textContent.trim() === title) first.hidden = true;
  return nodes.map((node) => {
    if (node.nodeName !== "H1") return node;
    return el("h2", { "data-s": node.dataset.s, "data-e": node.dataset.e, hidden: node.hidden }, ...node.childNodes);
  });
}
