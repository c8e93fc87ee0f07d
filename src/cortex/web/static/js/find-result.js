// One found note: its title, when and where it is from, the words around the match, and which searches found it.

import { passageUrl } from "./cite-chip.js";
import { el } from "./dom.js";
import { marked, wordsOf } from "./found-words.js";
import { has, lang, langOf, t } from "./i18n.js";
import { alsoIn, sourceFacts } from "./source-facts.js";
import { excerpt, withoutTitle } from "./excerpt.js";

const BEFORE = 60;
const LENGTH = 260;
const LEGS = 3;
const listed = new Intl.ListFormat(lang);

export function findResult(result, query) {
  const { start, end, text } = result.passage;
  const words = wordsOf(query);
  const flat = excerpt(withoutTitle(text, result.title), Infinity);
  const at = words ? flat.search(words) : -1;
  const from = at > BEFORE ? wordStart(flat, at - BEFORE, at) : 0;
  const shown = `${from ? "…" : ""}${excerpt(flat.slice(from), LENGTH)}`;
  return el("li", { class: "found" },
    el("h2", {}, el("a", { href: passageUrl(result.document_id, start, end), lang: langOf(result.title, result.lang) }, marked(result.title, words))),
    el("p", { class: "muted" }, [sourceFacts(result), alsoIn(result)].filter(Boolean).join("\u00a0· ")),
    el("p", { class: "found-words", lang: langOf(shown, result.lang) }, marked(shown, words)),
    el("p", { class: "found-legs" }, t("find.by", { legs: legsOf(result.legs) })));
}

function wordStart(text, from, to) {
  const space = text.indexOf(" ", from);
  if (space >= 0 && space < to) return space + 1;
  return /[\udc00-\udfff]/.test(text[from]) ? from + 1 : from;
}

function legsOf(legs = {}) {
  return listed.format(Object.entries(legs).sort(([, one], [, other]) => one.rank - other.rank)
    .slice(0, LEGS).map(([leg]) => (has(`why.${leg}`) ? t(`why.${leg}`).toLowerCase() : leg)));
}
