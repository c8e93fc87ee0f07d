// An answer's text as blocks: {kind, raw, lines, …}. Only the last block of a growing text ever changes.

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

export function blocksOf(text) {
  const lines = text.split("\n");
  const blocks = [];
  let at = 0;
  while (at < lines.length) {
    if (lines[at].trim() === "") {
      at += 1;
      continue;
    }
    const block = fence(lines, at) ?? single(lines, at) ?? run(lines, at);
    block.raw = lines.slice(at, block.next).join("\n");
    at = block.next;
    blocks.push(block);
  }
  return blocks;
}

function fence(lines, at) {
  const open = FENCE.exec(lines[at]);
  if (!open) return null;
  let next = at + 1;
  while (next < lines.length && !closes(lines[next], open[1])) next += 1;
  return { kind: "code", name: open[2], lines: lines.slice(at + 1, next), next: Math.min(next + 1, lines.length) };
}

function closes(line, opened) {
  const mark = line.trim();
  return mark.length >= opened.length && mark === opened[0].repeat(mark.length);
}

function single(lines, at) {
  const heading = HEADING.exec(lines[at]);
  if (heading) return { kind: "heading", level: heading[1].length, lines: [heading[2]], next: at + 1 };
  return RULE.test(lines[at]) ? { kind: "rule", lines: [], next: at + 1 } : null;
}

function run(lines, at) {
  if (QUOTE.test(lines[at])) {
    const next = while_(lines, at, (line) => QUOTE.test(line));
    return { kind: "quote", lines: lines.slice(at, next).map((line) => QUOTE.exec(line)[1]), next };
  }
  if (lines[at].includes("|") && DIVIDER.test(lines[at + 1] ?? "") && lines[at + 1].includes("-")) {
    const next = while_(lines, at, (line) => line.includes("|"));
    return { kind: "table", lines: lines.slice(at, next), next };
  }
  if (ITEM.test(lines[at])) return list(lines, at);
  const next = while_(lines, at + 1, (line) => !starts(line));
  return { kind: "paragraph", lines: lines.slice(at, next), next };
}

// Items as {depth, ordered, start, lines}; a line that is indented or follows at once belongs to the item before it.
function list(lines, at) {
  const items = [];
  const next = while_(lines, at, (line) => ITEM.test(line) || (!starts(line) && items.length > 0), (line) => {
    const item = ITEM.exec(line);
    if (item) items.push({ depth: item[1].length, ordered: /\d/.test(item[2]), start: parseInt(item[2], 10), lines: [item[3]] });
    else items.at(-1).lines.push(line.trim());
  });
  return { kind: "list", items, lines: [], next };
}

function starts(line) {
  return line.trim() === "" || [FENCE, HEADING, RULE, QUOTE, ITEM].some((pattern) => pattern.test(line));
}

function while_(lines, at, belongs, take = () => {}) {
  let next = at;
  while (next < lines.length && belongs(lines[next])) take(lines[next++]);
  return next;
}
