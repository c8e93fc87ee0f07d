// A line of an answer or a note as DOM nodes: code, emphasis, safe links, citation markers. Never HTML.

import { el } from "./dom.js";

const TOKEN = /(?<code>(?<ticks>`+)(?<inner>[^`]|[^`][\s\S]*?[^`])\k<ticks>(?!`))|(?<embed>!?)\[\[(?:(?<target>[^\]|\n]+)\|)?(?<wiki>[^\]|\n]+)\]\]|!\[(?<alt>[^\]]*)\]\((?<image>[^)\s]*)\)|\[(?<text>[^\]]+)\]\((?<url>[^)\s]+)\)|\s*(?:\[(?<marks>\d{1,2}(?:\s*[,、，]\s*\d{1,2})*)\](?!\()|\u3010(?<wide>\d{1,2}(?:\s*[,、，]\s*\d{1,2})*)\u3011)|\*\*(?<bold>[^*]+|[^*][\s\S]*?[^*])\*\*|(?<![\w*])\*(?<thin>[^*\s](?:[^*]*[^*\s])?)\*(?![\w*])|(?<![\p{L}\p{N}_])__(?<double>[^_]+)__(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])_(?<single>[^_\s](?:[^_]*[^_\s])?)_(?![\p{L}\p{N}_])|~~(?<gone>[^~]+)~~|\\(?<plain>[\\`*_{}[\]()#+.!|>~-])/gu;

// `chip(n)` gives the element of the next marker, or null when there is no such source; without it markers are words like others.
// `allowed(url)` decides on links. A note's own context also has `image(alt, url)`, `wiki(target, label)` and `inside(url)`, which
// gives the address of a link that stays within Cortex.
export function inlineNodes(text, context) {
  const nodes = document.createDocumentFragment();
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    nodes.append(text.slice(at, match.index));
    nodes.append(...tokenNodes(match.groups, context, match[0]));
    at = match.index + match[0].length;
  }
  nodes.append(text.slice(at));
  nodes.normalize();
  return nodes;
}

function tokenNodes(found, context, raw) {
  if (found.code) return [el("code", {}, found.inner)];
  if (found.alt !== undefined) return [context.image?.(found.alt, found.image) ?? found.alt];
  if (found.wiki) return [context.wiki?.(found.target ?? found.wiki, found.wiki, found.embed !== "") ?? found.wiki];
  if (found.url) return [link(found.url, inlineNodes(found.text, context), context)];
  const marked = [["strong", found.bold ?? found.double], ["em", found.thin ?? found.single], ["s", found.gone]].find(([, words]) => words);
  if (marked) return [el(marked[0], {}, inlineNodes(marked[1], context))];
  if (found.plain) return [found.plain];
  return context.chip ? chips(found.marks ?? found.wide, context.chip) : [raw];
}

function link(url, label, context) {
  const inside = context.inside?.(url);
  if (inside) return el("a", { href: inside }, label);
  const safe = /^https:\/\//i.test(url) && context.allowed(url);
  return safe ? el("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, label) : label;
}

// A word joiner goes before each chip, so that no chip stands alone at the start of a line.
function chips(numbers, chip) {
  return numbers.split(/[,、，]/).map((n) => chip(Number(n))).filter(Boolean).flatMap((element) => ["\u2060", element]);
}

// What of a growing text can be shown: without half a marker, half an emphasis, half a link at its end.
export function settled(text) {
  let shown = text.replace(/[ \t]*(?:[[\u3010][\d\s,、，]{0,12}|!?\[[^\]\n]*(?:\]\([^)\s]*)?|\*{1,2}|`{1,2})$/u, "");
  const line = shown.slice(shown.lastIndexOf("\n") + 1);
  if (line.split("**").length % 2 === 0) shown += "**";
  return shown;
}
