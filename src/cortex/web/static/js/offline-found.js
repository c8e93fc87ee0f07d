// What a question finds by its words in the notes of this device, while Cortex cannot be reached: no answer, and it says so.

import { copyIsOn } from "./device-hints.js";
import { el } from "./dom.js";
import { marked } from "./found-words.js";
import { langOf, t } from "./i18n.js";
import { announce } from "./live-status.js";
import { timeText } from "./moments.js";
import { bestOf } from "./offline-find.js";
import { allNotes } from "./offline-store.js";

const MOST = 10;

// Puts it at the end of `root`; nothing where this device keeps no notes.
export async function showFound(root, question) {
  if (!copyIsOn()) return;
  const notes = (await allNotes().catch(() => [])).filter((note) => !note.trashed_at);
  if (notes.length === 0) return;
  const found = bestOf(notes, question, MOST);
  const head = t(found.length ? "offline.found" : "offline.found_none", { n: found.length });
  root.querySelector(".found-here")?.remove();
  root.append(el("section", { class: "found-here", "aria-label": head }, el("h3", {}, head), el("p", { class: "muted" }, t("offline.found_lead")),
    found.length > 0 && el("ul", {}, found.map(row))));
  announce(head);
}

function row({ note, held, excerpt }) {
  const words = new RegExp(held.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "iu");
  const lang = langOf(note.title, note.lang);
  return el("li", {}, el("a", { href: note.id ? `/notes/${note.id}` : `/notes/new?key=${note.key}`, lang }, marked(note.title, words)),
    el("time", { class: "muted", datetime: note.updated_at }, timeText(note.updated_at)), el("p", { lang: langOf(excerpt, note.lang) }, marked(excerpt, words)));
}
