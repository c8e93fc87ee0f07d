// Finds a passage of a note's text inside its HTML and lights it up. Blocks say where they stand (data-s, data-e, code points of
// the text); inside a block the shown text is walked along the Markdown it came from: a line at a time, else word, else character.

import { el } from "./dom.js";
import { unitsAt } from "./offsets.js";

const FAR = 2000;
const NEAR = 60;
const MANY = 2;

// Marks [start, end) of `text` under `root`; gives the marks in reading order.
export function lightUp(root, text, start, end) {
  const blocks = [...root.querySelectorAll("[data-s]")].map((element) => ({ element, from: Number(element.dataset.s), to: Number(element.dataset.e) }));
  const touched = blocks.filter(({ from, to }) => from < end && to > start);
  const offsets = [...new Set([start, end, ...touched.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b);
  const units = new Map(unitsAt(text, offsets).map((unit, place) => [offsets[place], unit]));
  const marks = touched.flatMap(({ element, from, to }) => {
    const source = text.slice(units.get(from), units.get(to));
    return markBlock(element, source, units.get(start) - units.get(from), units.get(end) - units.get(from));
  });
  const lit = new Set(marks.map((mark) => mark.closest("p, li, pre, table, h1, h2, h3, h4, h5, h6, blockquote, [data-s]")));
  for (const block of lit) block?.classList.add("has-passage");
  // A whole passage has the bar alone: pages of yellow point at nothing.
  if (lit.size > MANY) for (const mark of marks) mark.className = "long";
  return marks;
}

function markBlock(block, source, start, end) {
  const walk = walker(source);
  const marks = [];
  for (const node of ownTexts(block)) {
    const places = walk(node.data);
    const inside = places.map((place) => place >= start && place < end);
    const [first, last] = [inside.indexOf(true), inside.lastIndexOf(true)];
    if (first < 0 || node.data.slice(first, last + 1).trim() === "") continue;
    const lit = node.splitText(first);
    lit.splitText(last + 1 - first);
    const mark = el("mark");
    lit.replaceWith(mark);
    mark.append(lit);
    marks.push(mark);
  }
  return marks;
}

// The texts that belong to this block and to no block inside it.
function ownTexts(block) {
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest("[data-s]") === block ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP);
  const found = [];
  while (texts.nextNode()) found.push(texts.currentNode);
  return found;
}

// Gives, for each UTF-16 unit of the next shown text, where it stands in the source (-1: nowhere).
function walker(source) {
  let at = 0;
  const step = (piece, reach) => {
    const found = source.indexOf(piece, at);
    if (found < 0 || found - at > reach) return -1;
    at = found + piece.length;
    return found;
  };
  const spread = (piece, reach, smaller) => {
    const found = step(piece, reach);
    return found >= 0 ? range(found, piece.length) : smaller(piece);
  };
  const characters = (word) => [...word].flatMap((character) => {
    const found = step(character, NEAR);
    return found >= 0 ? range(found, character.length) : Array(character.length).fill(-1);
  });
  const words = (line) => line.split(/(\s+)/).flatMap((word) =>
    word.trim() === "" ? Array(word.length).fill(at) : spread(word, FAR, characters));
  return (shown) => shown.split(/(\n)/).flatMap((line) =>
    line.trim() === "" ? Array(line.length).fill(at) : spread(line, FAR, words));
}

function range(from, length) {
  return Array.from({ length }, (_, k) => from + k);
}
