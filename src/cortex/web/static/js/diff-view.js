// Rows of a diff as elements: <ins> and <del> with a sign in the margin, never colour alone; what stayed is folded.

import { el } from "./dom.js";
import { langOf, t } from "./i18n.js";

const CONTEXT = 2;
const SIGNS = { del: "−", ins: "+", changed: "±", same: "" };

// `cells(row)` makes what stands in a row.
export function diffRows(rows, cells = oneCell) {
  const shown = [];
  for (let at = 0; at < rows.length;) {
    let next = at;
    while (next < rows.length && rows[next].kind === "same") next += 1;
    if (next === at) {
      shown.push(rowElement(rows[at++], cells));
      continue;
    }
    const [before, after] = [at === 0 ? 0 : CONTEXT, next === rows.length ? 0 : CONTEXT];
    const same = rows.slice(at, next).map((row) => rowElement(row, cells));
    const hidden = same.slice(before, same.length - after);
    shown.push(...same.slice(0, before), ...(hidden.length > 1 ? [fold(hidden)] : hidden), ...same.slice(Math.max(before, same.length - after)));
    at = next;
  }
  return shown;
}

export function wordsOf(parts, kinds = ["same", "del", "ins"]) {
  return parts.filter(({ kind }) => kinds.includes(kind)).map(({ kind, text }) => (kind === "same" ? text : el(kind, {}, text)));
}

// How many words went and came.
export function countWords(rows) {
  const count = (kind) => rows.flatMap((row) => (row.kind === "changed" ? row.parts : [row])).filter((part) => part.kind === kind)
    .reduce((sum, { text }) => sum + [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)].filter((part) => part.isWordLike).length, 0);
  return { gone: count("del"), come: count("ins") };
}

function rowElement(row, cells) {
  return el("div", { class: "diff-row", "data-kind": row.kind }, el("span", { class: "diff-sign", "aria-hidden": "true" }, SIGNS[row.kind]), cells(row));
}

function oneCell(row) {
  const words = row.kind === "changed" ? wordsOf(row.parts) : wordsOf([row]);
  return el("p", { lang: langOf(row.text ?? row.after) }, words);
}

function fold(hidden) {
  const button = el("button", { type: "button", class: "diff-fold", on: { click: () => {
    button.replaceWith(...hidden);
    hidden[0].tabIndex = -1;
    hidden[0].focus();
  } } }, t("diff.unchanged", { n: hidden.length }));
  return button;
}
