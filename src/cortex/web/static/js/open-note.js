// Which note an address means: one that is there, this week's or today's, a new one, or one that was typed and not saved yet.

import { lang } from "./i18n.js";
import { today } from "./moments.js";
import * as store from "./note-store.js";
import { sameText } from "./note-text.js";
import { forgetUnsaved, unsavedOf } from "./unsaved.js";

// Gives {note, typed?, base?}: `typed` is text that was not saved, written over `base`.
export async function noteOf(address) {
  const id = /^\/notes\/(\d+)$/.exec(address.pathname)?.[1];
  if (id) return { note: await store.get(Number(id)) };
  const asked = address.searchParams;
  const dated = { weekly: store.ofWeek, daily: store.ofDay }[asked.get("kind")];
  return dated ? { note: await dated(asked.get("date") ?? today(), lang) } : freshNote(asked);
}

// The address at which a note is at home; what the list beside it shows stays in it.
export function addressOf(note) {
  const asked = new URLSearchParams(location.search);
  for (const name of ["kind", "date", "title", "key"]) if (location.pathname === "/notes/new") asked.delete(name);
  if (!note.id) asked.set("key", note.key);
  const query = asked.size ? `?${asked}` : "";
  return `/notes/${note.id ?? "new"}${query}`;
}

function freshNote(asked) {
  const kept = asked.get("key") && unsavedOf(asked.get("key"));
  const note = { key: kept?.key ?? asked.get("key") ?? store.newKey(), title: asked.get("title") ?? "", body: "", tags: [], kind: "note", date: null, topic: null };
  const empty = { ...note, title: "" };
  if (kept) return { note: empty, typed: kept.note, base: kept.base };
  return note.title ? { note: empty, typed: note } : { note };
}

// The note with what was typed into it on this device and not saved. Only for the tab that writes: another one's text is its own.
export function withUnsaved(note) {
  const kept = unsavedOf(note.key);
  if (!kept) return { note };
  // It did arrive: only the reply was lost.
  if (sameText(kept.note, { title: note.titled === false ? "" : note.title, body: note.body })) {
    forgetUnsaved(note.key);
    return { note };
  }
  return { note: { ...note, version: kept.version }, typed: kept.note, base: kept.base };
}
