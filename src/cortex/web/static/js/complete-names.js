// What the completion list offers: titles of notes for a link, names of tags.

import { sourceFacts } from "./source-facts.js";
import { t } from "./i18n.js";
import { names, titles } from "./note-store.js";

const MOST = 8;
// These end a link, so a title that has one cannot be linked by name.
const UNLINKED = /[[\]|#\n]/;

export function offersFor(trigger) {
  return trigger.kind === "note" ? notes(trigger.query) : tags(trigger.query);
}

async function notes(query) {
  const found = (await titles(query, MOST)).filter(({ title }) => !UNLINKED.test(title));
  const offers = found.map((note) => ({ label: note.title, lang: note.lang, note: sourceFacts(note), text: `[[${note.title}]]` }));
  const known = found.some(({ title }) => title.toLowerCase() === query.toLowerCase());
  return query && !known ? [...offers, { label: query, note: t("complete.new_note"), text: `[[${query}]]` }] : offers;
}

async function tags(query) {
  const { tags: found, counts } = await names(query);
  // Typed to its end: Enter is a new line again.
  if (found.some((name) => name === query)) return [];
  return found.slice(0, MOST).map((name) => ({ label: `#${name}`, note: counts?.[`tag:${name}`]?.toLocaleString(), tag: name, text: `#${name} ` }));
}
