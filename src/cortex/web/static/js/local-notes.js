// What the API says of notes, said from this browser's copy: lists, titles, names; and what waits here put over what Cortex says.

import { holdsAll } from "./offline-find.js";
import { allNotes, position, shown, unsettled } from "./offline-store.js";

const HERE = "here:";
const EXCERPT = 200;

export const isOurs = (after) => typeof after === "string" && after.startsWith(HERE);

// As GET /api/notes; null where nothing was copied yet.
export async function listed(what) {
  const { after, limit = 50 } = what;
  const all = await allNotes();
  if (all.length === 0 && !(await position()).whole) return null;
  const found = all.filter((note) => fits(note, what)).sort(newestFirst);
  const from = isOurs(after) ? Number(after.slice(HERE.length)) : 0;
  return { notes: found.slice(from, from + limit).map(row), total: found.length, here: true, next: from + limit < found.length ? `${HERE}${from + limit}` : null };
}

// A list of Cortex's with what waits here: notes that it does not know yet, edits, and what was thrown away here.
export async function withWaiting(found, what) {
  const waiting = await unsettled();
  if (waiting.length === 0) return found;
  const keys = new Set(waiting.map(({ key }) => key));
  const mine = waiting.map(shown).filter((note) => note && fits(note, what));
  const others = found.notes.filter(({ key }) => !keys.has(key));
  const unknown = mine.filter(({ key, id }) => !id && !found.notes.some((note) => note.key === key)).length;
  const gone = found.notes.filter(({ key }) => keys.has(key) && !mine.some((note) => note.key === key)).length;
  // Further pages hold older notes: what waits stands on the first one.
  const notes = what.after ? others : [...others, ...mine.map(row)].sort(newestFirst);
  return { ...found, notes, total: found.total + unknown - gone };
}

export async function titles(q, limit) {
  const found = (await allNotes()).filter((note) => !note.trashed_at && note.title.toLowerCase().includes(q.toLowerCase())).sort(newestFirst);
  return found.slice(0, limit).map(({ id, title, kind, lang, date }) => ({ document_id: id, title, source: "notes", kind, lang, date }));
}

export async function names(q) {
  const notes = (await allNotes()).filter(({ trashed_at: trashed }) => !trashed);
  const some = (all) => [...new Set(all)].filter((name) => name?.toLowerCase().includes(q.toLowerCase())).sort();
  return { topics: some(notes.map(({ topic }) => topic)), tags: some(notes.flatMap(({ tags }) => tags)) };
}

// The note of a day or of its week: the one that is here, or a new one under the key that every device gives it.
export async function dated(kind, date, template) {
  const [name, day] = kind === "weekly" ? weekOf(date) : [date, date];
  const key = kind === "weekly" ? `week-${name}` : `day-${name}`;
  const found = (await allNotes()).find((note) => note.key === key || (note.kind === kind && note.date === day && note.title === name && !note.trashed_at));
  return found ?? { key, title: name, titled: true, body: kind === "weekly" ? template : "", kind, date: day, topic: null, tags: [], version: 0 };
}

function fits(note, { q, tag, topic, kind, trash }) {
  return Boolean(note.trashed_at) === Boolean(trash) && (!tag || note.tags.includes(tag)) && (!topic || note.topic === topic)
    && (!kind || note.kind === kind) && (!q || holdsAll(note, q));
}

const row = ({ body, ...note }) => ({ ...note, excerpt: body.slice(0, EXCERPT) });
const changedAt = (note) => note.trashed_at ?? note.updated_at ?? "";
const newestFirst = (one, other) => (changedAt(one) < changedAt(other) ? 1 : changedAt(one) > changedAt(other) ? -1 : 0);

// The ISO week of a day and its Monday.
function weekOf(date) {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  const monday = day.toISOString().slice(0, 10);
  day.setUTCDate(day.getUTCDate() + 3);
  const first = Date.UTC(day.getUTCFullYear(), 0, 1);
  const week = Math.floor((day - first) / 86_400_000 / 7) + 1;
  return [`${day.getUTCFullYear()}-W${String(week).padStart(2, "0")}`, monday];
}
