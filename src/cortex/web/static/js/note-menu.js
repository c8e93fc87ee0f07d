// What can be done with a note besides writing it: its history, asking it, its page, the trash.

import { by, el, icon } from "./dom.js";
import { t } from "./i18n.js";
import { rememberTrashed } from "./list-notices.js";
import * as store from "./note-store.js";
import { problemText } from "./problem-text.js";

const menu = by("note-menu");

// `flush()` saves what was typed: the trash keeps it too.
export function noteMenu(note, flush) {
  const link = (href, image, name) => el("a", { href }, icon(image), t(name));
  by("note-history").hidden = !note.id;
  by("note-history").href = `/notes/${note.id}/history`;
  menu.hidden = !note.id;
  if (!note.id) return;
  by("note-menu-panel").replaceChildren(
    link(`/notes/${note.id}/history`, "history", "editor.history"),
    link(`/?scope=note:${note.id}`, "ask", "document.ask_note"),
    link(`/d/${note.id}`, "page", "editor.page"),
    note.trashed_at ? "" : el("button", { type: "button", on: { click: () => discard(note, flush) } }, icon("trash"), t("editor.trash")));
}

async function discard(note, flush) {
  try {
    await flush();
    await store.trash(note.id);
    rememberTrashed(note);
    location.assign("/notes");
  } catch (problem) {
    by("note-menu-panel").append(el("p", { class: "field-error", role: "alert" }, t("answer.failed", { reason: problemText(problem) })));
  }
}

menu.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu.open) return;
  event.stopPropagation();
  menu.open = false;
  menu.querySelector("summary").focus();
});
document.addEventListener("pointerdown", (event) => menu.open && !menu.contains(event.target) && (menu.open = false));
