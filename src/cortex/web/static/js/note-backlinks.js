// The notes that link to this one, below its facts.

import { by, el } from "./dom.js";
import { langOf, t } from "./i18n.js";
import { linkedFrom } from "./note-store.js";

// Asked for when the facts are opened: it is seldom wanted, and costs a trip.
export function noteBacklinks(noteId) {
  by("note-facts").addEventListener("toggle", async () => {
    if (!by("note-facts").open || !noteId()) return;
    const links = await linkedFrom(noteId()).catch(() => []);
    by("note-backlinks").hidden = links.length === 0;
    by("note-backlinks").replaceChildren(el("span", {}, t("document.linked_from", { n: links.length })),
      ...links.map((link) => el("a", { href: `/d/${link.document_id}`, lang: langOf(link.title) }, link.title)));
  });
}
