// One note, changed in two places: both versions side by side, and nothing is decided for the person.

import { diffRows, wordsOf } from "./diff-view.js";
import { el } from "./dom.js";
import "./diff-style.js";
import { factText } from "./note-facts.js";
import { langOf, t } from "./i18n.js";
import { merged } from "./merge.js";
import { timeText } from "./moments.js";
import { textDiff } from "./text-diff.js";

// `choose({body, …fields})` takes what is decided on; `base` is the text before both changes, or null.
export function conflictView({ theirs, mine, base }, choose) {
  const rows = [...factRows(theirs, mine), ...textDiff(theirs.body, mine.body)];
  const act = (name, kind, text) => el("button", { type: "button", class: `button ${kind}`, on: { click: () => choose(text) } }, t(name));
  const together = { ...mine, body: merged(base?.body ?? commonLines(theirs.body, mine.body), theirs.body, mine.body), tags: [...new Set([...theirs.tags, ...mine.tags])] };
  return el("section", { class: "conflict", "aria-labelledby": "conflict-heading" },
    el("h2", { id: "conflict-heading", tabindex: "-1" }, t("conflict.heading")),
    el("p", { class: "muted" }, t("conflict.lead")),
    el("div", { class: "pills" }, act("conflict.mine", "primary", mine), act("conflict.theirs", "", theirs), act("conflict.merge", "", together)),
    el("div", { class: "conflict-heads", "aria-hidden": "true" }, el("span", {}, theirsName(theirs)), el("span", {}, t("conflict.here"))),
    el("div", { class: "diff both" }, diffRows(rows, (row) => twoCells(row, theirs))));
}

const theirsName = (theirs) => (theirs.updated_at ? t("conflict.there_at", { time: timeText(theirs.updated_at) }) : t("conflict.there"));

function twoCells(row, theirs) {
  if (row.kind === "same") return el("p", { class: "across", lang: langOf(row.text) }, row.text);
  const cell = (side, name, words) => el("div", { class: `diff-cell ${side}` }, el("span", { class: "diff-side" }, name), el("p", { lang: langOf(row.text ?? row.after) }, words));
  const parts = row.kind === "changed" ? row.parts : [row];
  return [cell("there", theirsName(theirs), wordsOf(parts, ["same", "del"])), cell("here", t("conflict.here"), wordsOf(parts, ["same", "ins"]))];
}

function factRows(theirs, mine) {
  const facts = [theirs, mine].map((note) => [note.title, factText(note)].filter(Boolean).join("\u00a0· "));
  return facts[0] === facts[1] ? [] : [{ kind: "changed", before: facts[0], after: facts[1], parts: [{ kind: "del", text: facts[0] }, { kind: "ins", text: facts[1] }] }];
}

// Without the text before both changes, what both have stands for it.
function commonLines(one, other) {
  const here = new Set(textDiff(one, other).filter(({ kind }) => kind === "same").map(({ text }) => text));
  return one.split("\n").filter((line) => here.has(line)).join("\n");
}
