// Blocks to elements. `inline(text)` makes the nodes of a line of text; `top` is what stands above: an answer below its question's h2.

import { el } from "./dom.js";
import { blocksOf } from "./blocks.js";

export function blockElement(block, inline, top = 2) {
  switch (block.kind) {
    case "code":
      return el("pre", { tabindex: "0" }, el("code", {}, block.lines.join("\n")));
    case "heading":
      return el(`h${Math.min(block.level + top, 6)}`, {}, inline(block.lines[0]));
    case "rule":
      return el("hr");
    case "quote":
      return el("blockquote", {}, blocksOf(block.lines.join("\n")).map((inner) => blockElement(inner, inline, top)));
    case "table":
      return table(block.lines, inline);
    case "list":
      return list(block.items, inline);
    default:
      return el("p", {}, broken(block.lines, inline));
  }
}

// A row of a table that is quoted by itself reads as a line.
const unrowed = (line) => line.replace(/^\|\s*(.+?)\s*\|(?=\s*(?:\[[\d, ]+\])?$)/, (row, cells) => cells.replace(/\s*\|\s*/g, " · "));

function broken(lines, inline) {
  return lines.flatMap((line, place) => (place ? [el("br"), inline(unrowed(line))] : [inline(unrowed(line))]));
}

function list(items, inline) {
  const [first] = items;
  const root = el(first.ordered ? "ol" : "ul", { start: first.ordered && first.start !== 1 ? first.start : undefined });
  for (let at = 0; at < items.length;) {
    let next = at + 1;
    while (next < items.length && items[next].depth > first.depth) next += 1;
    root.append(el("li", {}, task(items[at].lines, inline), next > at + 1 && list(items.slice(at + 1, next), inline)));
    at = next;
  }
  return root;
}

// "[ ] words" is a task, with a box that says whether it is done.
function task([first, ...rest], inline) {
  const [box, done] = /^\[([ xX])\]\s+/.exec(first) ?? [""];
  const nodes = broken([first.slice(box.length), ...rest], inline);
  return box ? [el("input", { type: "checkbox", disabled: true, checked: done !== " ", "aria-label": first.slice(box.length) }), ...nodes] : nodes;
}

function table([head, , ...rows], inline) {
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => inline(cell.trim()));
  return el("div", { class: "table-box", tabindex: "0" }, el("table", {},
    el("thead", {}, el("tr", {}, cells(head).map((cell) => el("th", { scope: "col" }, cell)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, cells(row).map((cell) => el("td", {}, cell)))))));
}
