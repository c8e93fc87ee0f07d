// Two versions of one text put together: what only one side touched is taken from that side; where both did, both stand there,
// the other version first.

import { sequenceDiff } from "./sequence-diff.js";

export function merged(base, theirs, mine) {
  const lines = base.split("\n");
  const hunks = [...hunksOf(lines, theirs, "theirs"), ...hunksOf(lines, mine, "mine")].sort((one, other) => one.from - other.from || one.to - other.to);
  const result = [];
  let at = 0;
  while (hunks.length) {
    const group = [hunks.shift()];
    let { from, to } = group[0];
    while (hunks.length && (hunks[0].from < to || hunks[0].from === from)) {
      to = Math.max(to, hunks[0].to);
      group.push(hunks.shift());
    }
    result.push(...lines.slice(at, from), ...settled(lines, group, from, to));
    at = to;
  }
  return [...result, ...lines.slice(at)].join("\n");
}

function settled(lines, group, from, to) {
  const [theirs, mine] = ["theirs", "mine"].map((side) => version(lines, group.filter((hunk) => hunk.side === side), from, to));
  if (!group.some(({ side }) => side === "mine")) return theirs;
  if (!group.some(({ side }) => side === "theirs") || theirs.join("\n") === mine.join("\n")) return mine;
  // What both have at the end and the beginning is not said twice.
  return sequenceDiff(theirs, mine).flatMap(({ items }) => items);
}

// One side's text of the lines from–to of the base.
function version(lines, hunks, from, to) {
  const result = [];
  let at = from;
  for (const hunk of hunks) {
    result.push(...lines.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
  }
  return [...result, ...lines.slice(at, to)];
}

function hunksOf(lines, text, side) {
  const hunks = [];
  let at = 0;
  for (const { kind, items } of sequenceDiff(lines, text.split("\n"))) {
    if (kind === "same") {
      at += items.length;
      continue;
    }
    const last = hunks.at(-1);
    const hunk = last?.to === at && last.open ? last : { from: at, to: at, lines: [], side };
    if (hunk !== last) hunks.push(hunk);
    if (kind === "ins") hunk.lines.push(...items);
    else at = hunk.to = at + items.length;
    hunk.open = true;
  }
  return hunks;
}
