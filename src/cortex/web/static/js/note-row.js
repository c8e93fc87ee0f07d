// One note of a list: title, when it was changed, its first words, and what a person should know of it.

import { el, icon } from "./dom.js";
import { marked } from "./found-words.js";
import { langOf, t } from "./i18n.js";
import { timeText } from "./moments.js";
import { factText } from "./note-facts.js";
import { originText } from "./origin.js";

export function noteRow(note, { query, current, words }) {
  const facts = [originText(note), factText(note)].filter(Boolean).join("\u00a0· ");
  return el("li", { class: "note-row", "data-id": note.id },
    el("a", { href: `/notes/${note.id}${query}`, "aria-current": current ? "page" : undefined },
      el("span", { class: "note-row-head" },
        el("span", { class: "note-row-title", lang: langOf(note.title, note.lang) }, marked(note.title, words)),
        el("time", { datetime: note.updated_at }, timeText(note.updated_at))),
      note.excerpt && el("span", { class: "note-row-text", lang: langOf(note.excerpt, note.lang) }, marked(note.excerpt, words)),
      facts && el("span", { class: "note-row-facts" }, facts),
      marks(note)));
}

function marks(note) {
  const found = [
    (note.conflict_of || note.copies?.length) && t("notes.two_versions"),
    note.index?.state === "failed" && t("notes.not_indexed"),
  ].filter(Boolean);
  return found.map((text) => el("span", { class: "note-row-mark" }, icon("warn"), text));
}
