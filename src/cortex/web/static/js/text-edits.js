// What a key does to a text. Each takes {value, start, end}, the text and its selection, and gives the edit {from, to, text, start, end}:
// `text` in place of from–to, and where the selection goes; or null, when the key does what it always does.

// A list item's beginning: • 1. 1) 1、 一、 and the box of a task.
const ITEM = /^([ \t]*)(?:([-*+])(\s+)|(\d{1,9})([.)])(\s+)|(\d{1,9}|[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d]|[\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d]?\u5341[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d]?)(\u3001)(\s*))(\[[ xX]\]\s+)?/;
const QUOTE = /^[ \t]*(?:>[ \t]?)+/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const DIGITS = "\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d";
const TEN = "\u5341";

// Enter: the next item of a list; an empty item ends the list.
export function newLine({ value, start, end }) {
  if (start !== end) return null;
  const [from, to] = lineAt(value, start);
  const line = value.slice(from, to);
  if (inFence(value, from)) return indentOf(line) ? put(start, start, `\n${indentOf(line)}`) : null;
  const item = ITEM.exec(line) ?? QUOTE.exec(line);
  if (!item || start < from + item[0].length) return null;
  if (line.slice(item[0].length).trim() === "") return put(from, to, "");
  return put(start, start, `\n${item.length > 1 ? nextItem(item) : item[0]}`);
}

function nextItem([, indent, bullet, gap, number, mark, space, counted, comma, after, task]) {
  const box = task ? "[ ] " : "";
  if (bullet) return indent + bullet + gap + box;
  if (number) return indent + (Number(number) + 1) + mark + space + box;
  return indent + (/\d/.test(counted) ? Number(counted) + 1 : inHan(fromHan(counted) + 1)) + comma + after + box;
}

function fromHan(word) {
  const at = word.indexOf(TEN);
  if (at < 0) return DIGITS.indexOf(word) + 1;
  return (at ? DIGITS.indexOf(word[0]) + 1 : 1) * 10 + DIGITS.indexOf(word[at + 1] ?? "-") + 1;
}

function inHan(n) {
  const [tens, ones] = [Math.floor(n / 10), n % 10];
  return (tens > 1 ? DIGITS[tens - 1] : "") + (tens ? TEN : "") + (ones ? DIGITS[ones - 1] : "");
}

// The lines of the selection, further in or out: as far as the item above reaches, so that they become its children.
export function shiftLines({ value, start, end }, inwards) {
  const [from] = lineAt(value, start);
  const [, to] = lineAt(value, end > start && value[end - 1] === "\n" ? end - 1 : end);
  const lines = value.slice(from, to).split("\n");
  const change = inwards ? stepIn(value, from, lines[0]) : -stepOut(value, from, lines[0]);
  const moved = lines.map((line) => (change < 0 ? line.replace(new RegExp(`^(?:\t| {0,${-change}})`), "") : line ? " ".repeat(change) + line : line));
  if (moved.join("\n") === value.slice(from, to)) return { from, to: from, text: "", start, end };
  const first = moved[0].length - lines[0].length;
  const text = moved.join("\n");
  return { from, to, text, start: Math.max(from, start + first), end: Math.max(from, end + text.length - (to - from)) };
}

function stepIn(value, from, line) {
  const above = itemAbove(value, from, (indent) => indent <= indentOf(line).length);
  return above ? Math.max(0, above.content - indentOf(line).length) : 2;
}

function stepOut(value, from, line) {
  const indent = indentOf(line).length;
  const above = itemAbove(value, from, (other) => other < indent);
  return above ? indent - above.indent : Math.min(indent, 2);
}

// The nearest item above whose indent fits: where it begins, and where its words do.
function itemAbove(value, from, fits) {
  for (const line of value.slice(0, Math.max(0, from - 1)).split("\n").reverse()) {
    const item = from > 0 && ITEM.exec(line);
    if (!item) return null;
    if (fits(item[1].length)) return { indent: item[1].length, content: item[0].length - (item[10]?.length ?? 0) };
  }
  return null;
}

// The selection in marks, or out of them; without a selection the marks go around the caret.
export function toggleMarks({ value, start, end }, marks) {
  const n = marks.length;
  const inner = value.slice(start, end);
  if (value.slice(start - n, start) === marks && value.slice(end, end + n) === marks && !(n === 1 && value[start - 2] === marks)) {
    return { from: start - n, to: end + n, text: inner, start: start - n, end: end - n };
  }
  const [before, words, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inner).slice(1);
  const from = start + before.length;
  return { from: start, to: end, text: before + marks + words + marks + after, start: from + n, end: from + n + words.length };
}

// A mark at the beginning of the caret's line (a heading, a task), put there or taken away.
export function togglePrefix({ value, start, end }, prefix, others) {
  const [from, to] = lineAt(value, start);
  const line = value.slice(from, to);
  const indent = indentOf(line);
  const found = others.exec(line.slice(indent.length))?.[0] ?? "";
  const now = found === prefix ? "" : prefix;
  const shift = now.length - found.length;
  const place = (at) => Math.max(from + indent.length + now.length, at + shift);
  return { from: from + indent.length, to: from + indent.length + found.length, text: now, start: place(start), end: place(end) };
}

function lineAt(value, place) {
  const next = value.indexOf("\n", place);
  return [value.lastIndexOf("\n", place - 1) + 1, next < 0 ? value.length : next];
}

const indentOf = (line) => /^[ \t]*/.exec(line)[0];
const put = (from, to, text) => ({ from, to, text, start: from + text.length, end: from + text.length });

function inFence(value, before) {
  return value.slice(0, before).split("\n").filter((line) => FENCE.test(line)).length % 2 === 1;
}
