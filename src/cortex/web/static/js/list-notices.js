// Above the list: what went wrong, what was just thrown away, and notes with text that is on this device only.

import { by, el } from "./dom.js";
import { langOf, t } from "./i18n.js";
import { restore } from "./note-store.js";
import { allUnsaved } from "./unsaved.js";

const TRASHED = "cortex.trashed";
const MOST = 3;

// `ways` are [[string key, act]] or links.
export function tell(text, ways = []) {
  const line = by("notes-notice");
  line.hidden = !text;
  line.replaceChildren(...(text ? [el("span", {}, text), ...ways.map((way) => (Array.isArray(way) ? button(...way) : way))] : []));
}

export function tellUnsaved() {
  const here = location.pathname.split("/").at(-1);
  const found = allUnsaved().filter(({ id, key }) => String(id) !== here && !location.search.includes(key));
  if (found.length === 0) return by("notes-notice").dataset.about === "trashed" || tell(null);
  return tell(t("notes.unsaved", { n: found.length }), found.slice(0, MOST).map(({ id, key, note }) => {
    const name = note.title || note.body.trim().slice(0, 40);
    return el("a", { href: id ? `/notes/${id}` : `/notes/new?key=${key}`, lang: langOf(name) }, name);
  }));
}

// A note was thrown away from its page: the list that comes next says so, and can take it back.
export function rememberTrashed({ id, title }) {
  sessionStorage.setItem(TRASHED, JSON.stringify({ id, title }));
}

export function tellTrashed(again) {
  const trashed = JSON.parse(sessionStorage.getItem(TRASHED) ?? "null");
  sessionStorage.removeItem(TRASHED);
  if (!trashed) return;
  by("notes-notice").dataset.about = "trashed";
  tell(t("notes.trashed", { title: trashed.title }), [["notes.undo", async () => {
    await restore(trashed.id);
    delete by("notes-notice").dataset.about;
    again();
  }]]);
}

function button(name, act) {
  return el("button", { type: "button", class: "button", on: { click: act } }, t(name));
}
