// A line of an answer as DOM nodes: code, emphasis, safe links, citation markers. Never HTML.

import { el } from "./dom.js";

const TOKEN = /(?<code>(?<ticks>`+)(?<inner>[^`]|[^`][\s\S]*?[^`])\k<ticks>(?!`))|\[\[(?:[^\]|\n]+\|)?(?<wiki>[^\]|\n]+)\]\]|!\[(?<alt>[^\]]*)\]\([^)\s]*\)|\[(?<text>[^\]]+)\]\((?<url>[^)\s]+)\)|\s*(?:\[(?<marks>\d{1,2}(?:\s*[,、，]\s*\d{1,2})*)\](?!\()|\u3010(?<wide>\d{1,2}(?:\s*[,、，]\s*\d{1,2})*)\u3011)|\*\*(?<bold>[^*]+|[^*][\s\S]*?[^*])\*\*|(?<![\w*])\*(?<thin>[^*\s](?:[^*]*[^*\s])?)\*(?![\w*])|\\(?<plain>[\\`*_{}[\]()#+.!|>~-])/gu;

// `chip(n)` gives the element of the next marker, or null when there is no such source; `allowed(url)` decides on links.
export function inlineNodes(text, { chip, allowed }) {
  const nodes = document.createDocumentFragment();
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    nodes.append(text.slice(at, match.index));
    nodes.append(...tokenNodes(match.groups, { chip, allowed }));
    at = match.index + match[0].length;
  }
  nodes.append(text.slice(at));
  nodes.normalize();
  return nodes;
}

function tokenNodes(found, context) {
  if (found.code) return [el("code", {}, found.inner)];
  if (found.alt !== undefined || found.wiki) return [found.alt ?? found.wiki];
  if (found.url) {
    const label = inlineNodes(found.text, context);
    const safe = /^https:\/\//i.test(found.url) && context.allowed(found.url);
    return [safe ? el("a", { href: found.url, rel: "noopener noreferrer", target: "_blank" }, label) : label];
  }
  if (found.bold) return [el("strong", {}, inlineNodes(found.bold, context))];
  if (found.thin) return [el("em", {}, inlineNodes(found.thin, context))];
  if (found.plain) return [found.plain];
  return chips(found.marks ?? found.wide, context.chip);
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
