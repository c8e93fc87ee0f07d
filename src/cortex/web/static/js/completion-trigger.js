// What is being typed before the caret that a list can complete: a link after [[ or its full-width twin, a tag after # or its twin.

const LINK = /(?:\[\[|\u3010\u3010)([^[\]\u3010\u3011\n|]{0,60})$/;
// Not inside a word or an address (page#part), and no heading.
const TAG = /(?<![\w/&#\uff03\]])[#\uff03]([\p{L}\p{N}_/-]{0,40})$/u;
const CLOSING = /^(?:\]{1,2}|\u3011{1,2})/;
const LONGEST = 64;

// {kind: "note" | "tag", query, from, to}: from–to is what a choice replaces, with closing brackets that an input method put after the caret.
export function triggerAt(value, caret) {
  const lineStart = value.lastIndexOf("\n", caret - 1) + 1;
  const before = value.slice(Math.max(lineStart, caret - LONGEST), caret);
  const link = LINK.exec(before);
  if (link) return { kind: "note", query: link[1].trim(), from: caret - link[0].length, to: caret + (CLOSING.exec(value.slice(caret, caret + 2))?.[0].length ?? 0) };
  const tag = TAG.exec(before);
  // A lone # at the beginning of a line may become a heading.
  if (!tag || (tag[1] === "" && caret - 1 === lineStart)) return null;
  return { kind: "tag", query: tag[1], from: caret - tag[0].length, to: caret };
}
