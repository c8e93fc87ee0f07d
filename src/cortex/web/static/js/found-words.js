// The words that were looked for, lit up where they stand in a text.

import { el } from "./dom.js";

// The words of the query as one pattern, longest first; of one letter only where that is a word (Chinese).
export function wordsOf(query) {
  const all = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(query)].filter((part) => part.isWordLike).map((part) => part.segment);
  const long = all.filter((word) => word.length > 3 || /\p{Script=Han}{2}/u.test(word));
  // Short words are looked at only where there is no other: they are in every sentence.
  const words = long.length ? long : all;
  const safe = [...new Set(words)].sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).map((word) => (/^\p{Script=Latin}/u.test(word) ? `(?<!\\p{L})${word}` : word));
  return safe.length ? new RegExp(safe.join("|"), "iu") : null;
}

export function marked(text, words) {
  if (!words) return [text];
  const all = new RegExp(words.source, "giu");
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(all)) {
    nodes.push(text.slice(at, match.index), el("mark", {}, match[0]));
    at = match.index + match[0].length;
  }
  return [...nodes, text.slice(at)];
}
