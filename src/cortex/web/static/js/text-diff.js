// What changed between two texts: line by line, and word by word within a line. Words as their language has them: a Chinese
// paragraph is no one word. Rows are {kind: same | ins | del, text} or {kind: changed, parts: [{kind, text}], before, after}.

import { lang } from "./i18n.js";
import { sequenceDiff } from "./sequence-diff.js";

const words = new Intl.Segmenter(lang, { granularity: "word" });
const ALIKE = 0.35;
const PAIRED = 2500;

export function textDiff(before, after) {
  const rows = [];
  const runs = sequenceDiff(before.split("\n"), after.split("\n"));
  for (let at = 0; at < runs.length; at += 1) {
    if (runs[at].kind === "same") {
      rows.push(...runs[at].items.map((text) => ({ kind: "same", text })));
      continue;
    }
    const changed = [runs[at], runs[at + 1]?.kind !== "same" ? runs[++at] : undefined];
    const of = (kind) => changed.find((run) => run?.kind === kind)?.items ?? [];
    rows.push(...paired(of("del"), of("ins")));
  }
  return rows;
}

const segments = (text) => [...words.segment(text)].map(({ segment }) => segment);

export function wordDiff(before, after) {
  const runs = sequenceDiff(segments(before), segments(after)).map(({ kind, items }) => ({ kind, text: items.join("") }));
  // One mark or space between two changes is no island to jump to.
  const parts = [];
  runs.forEach((run, n) => {
    const bridge = run.kind === "same" && n > 0 && n < runs.length - 1 && !/[\p{L}\p{N}]/u.test(run.text);
    for (const kind of bridge ? ["del", "ins"] : [run.kind]) parts.push({ kind, text: run.text });
  });
  return gathered(parts);
}

// Between two stretches that stay: all that went, then all that came.
function gathered(parts) {
  const result = [];
  let [gone, come] = ["", ""];
  const flush = () => {
    if (gone) result.push({ kind: "del", text: gone });
    if (come) result.push({ kind: "ins", text: come });
    [gone, come] = ["", ""];
  };
  for (const { kind, text } of parts) {
    if (kind === "del") gone += text;
    else if (kind === "ins") come += text;
    else {
      flush();
      result.push({ kind, text });
    }
  }
  flush();
  return result;
}

// Lines that went and lines that came: those that are alike, in order, are one line that changed.
function paired(gone, come) {
  const pairs = gone.length * come.length <= PAIRED ? bestPairs(gone, come) : [];
  const rows = [];
  let [i, j] = [0, 0];
  for (const [at, to] of [...pairs, [gone.length, come.length]]) {
    rows.push(...gone.slice(i, at).map((text) => ({ kind: "del", text })), ...come.slice(j, to).map((text) => ({ kind: "ins", text })));
    if (at < gone.length) rows.push({ kind: "changed", before: gone[at], after: come[to], parts: wordDiff(gone[at], come[to]) });
    [i, j] = [at + 1, to + 1];
  }
  return rows;
}

function bestPairs(gone, come) {
  const bags = [gone, come].map((lines) => lines.map((line) => segments(line).filter((word) => /[\p{L}\p{N}]/u.test(word))));
  const best = Array.from({ length: gone.length + 1 }, () => new Float64Array(come.length + 1));
  const score = (i, j) => likeness(bags[0][i], bags[1][j]);
  for (let i = gone.length - 1; i >= 0; i -= 1) {
    for (let j = come.length - 1; j >= 0; j -= 1) {
      best[i][j] = Math.max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + score(i, j));
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < gone.length && j < come.length;) {
    if (best[i][j] === best[i + 1][j]) i += 1;
    else if (best[i][j] === best[i][j + 1]) j += 1;
    else pairs.push([i++, j++]);
  }
  return pairs;
}

// The share of words that two lines have in common; 0 below what looks like the same line.
function likeness(one, other) {
  if (one.length + other.length === 0) return 0;
  const left = new Map();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of other) {
    if (!left.get(word)) continue;
    left.set(word, left.get(word) - 1);
    common += 1;
  }
  const share = (2 * common) / (one.length + other.length);
  return share >= ALIKE ? share : 0;
}
