// Notes as this browser has them. A record is {key, id, note, edit, gone, news, round}: `note` as Cortex last told it, `edit` what was
// written here since, `gone` what was asked for here and not told yet (trash, restore, delete), `news` what a person should hear of it.

import { of, read, write } from "./database.js";
import { t } from "./i18n.js";
import { derivedTitle } from "./note-text.js";

const NEW = { title: "", body: "", kind: "note", date: null, topic: null, tags: [], origin: "person", version: 0, trashed_at: null };
const ROOM = 200;

// A record as a note to be shown; null where it is to be deleted, or says nothing (a record that was damaged).
export function shown(record) {
  const { key, id, note, edit, gone } = record ?? {};
  if (gone === "delete" || !(note ?? edit) || typeof (edit ?? note).body !== "string") return null;
  const shape = { ...NEW, created_at: edit?.at, ...note, ...(edit && written(edit)), key, id: note?.id ?? id ?? null };
  const title = shape.title || derivedTitle(shape.body) || t("offline.untitled");
  const trashed = gone === "trash" ? (shape.trashed_at ?? new Date().toISOString()) : gone === "restore" ? null : shape.trashed_at;
  return { ...shape, title, trashed_at: trashed, ...(edit || gone ? { waiting: true, index: { state: "waiting" } } : {}) };
}

const written = ({ at, ...fields }) => ({ ...fields, titled: fields.title !== "", updated_at: at });

export const noteOf = async (key) => (await soundOnes([await read(({ notes }) => of(notes.get(key)))]))[0] ?? null;
export const noteOfId = async (id) => (await soundOnes([await read(({ notes }) => of(notes.index("id").get(id)))]))[0] ?? null;
export const recordOf = (key) => read(({ notes }) => of(notes.get(key)));
export const allNotes = async () => soundOnes(await read(({ notes }) => of(notes.getAll())));

// As notes to be shown. One that was damaged is taken out, and the feed is read anew: it comes again.
async function soundOnes(records) {
  const damaged = records.filter((record) => record && !record.gone && !shown(record));
  if (damaged.length) {
    await write(({ notes }) => damaged.forEach(({ key }) => notes.delete(key)));
    await begin();
  }
  return records.map(shown).filter(Boolean);
}

// The records of which something waits; and those of which there is news.
export const unsettled = () => read(async ({ notes, outbox }) => {
  const keys = [...new Set((await of(outbox.getAll())).map(({ key }) => key))];
  return (await Promise.all(keys.map((key) => of(notes.get(key))))).filter((record) => record?.edit || record?.gone);
});
export const withNews = () => read(({ notes }) => of(notes.index("news").getAll()));

// A note that Cortex has just told, unless a later version is known.
export const heard = (note) => write(async ({ notes }) => {
  const record = await of(notes.get(note.key));
  if (!record || !(record.note?.version > note.version)) notes.put({ ...record, key: note.key, id: note.id, note });
});

export const forgetNews = (key) => write(async ({ notes }) => {
  const record = await of(notes.get(key));
  if (record?.news) notes.put({ ...record, news: undefined });
});

// How far the feed was read: {feed, since, round, whole}; `whole` once all there was had been read.
export const position = async () => (await read(({ meta }) => of(meta.get("feed")))) ?? { feed: null, since: 0, round: 0, whole: false };
export const begin = async () => {
  const { round } = await position();
  await write(({ meta }) => of(meta.put({ name: "feed", feed: null, since: 0, round: round + 1, whole: false })));
};

// Takes in a page of the feed, all or nothing; gives the records that are other than before.
export function takeIn({ feed, changes, next, more }) {
  return write(async ({ notes, meta }) => {
    const at = (await of(meta.get("feed"))) ?? { since: 0, round: 0, whole: false };
    const changed = [];
    for (const change of changes) {
      const record = await of(notes.get(change.key));
      const now = follow(record, change, at);
      if (now === record) continue;
      if (now) notes.put(now);
      else notes.delete(change.key);
      if (now?.note !== record?.note) changed.push(now ?? { key: change.key, id: change.id, deleted: true });
    }
    const whole = at.whole || !more;
    if (whole && !at.whole) await sweep(notes, at.round);
    await of(meta.put({ ...at, name: "feed", feed, since: next, whole }));
    return changed;
  });
}

function follow(record, { op, id, key, note }, { round, whole }) {
  const waits = record && (record.edit || record.gone);
  // What is written here outlives a deletion elsewhere: it is on its way, and comes back as another note of that key.
  if (op === "deleted" && record?.note && record.note.id !== id) return record;
  if (op === "deleted") return waits ? { ...record, note: undefined, id: undefined, round } : undefined;
  if (!note) return record;
  // While all is read anew, an earlier version is the true one: the notebook may have come from a backup.
  if (whole && record?.note?.version > note.version) return record;
  return { ...record, key, id: note.id, note, round };
}

// What the feed did not name while all of it was read is not there any more.
async function sweep(notes, round) {
  for (const record of await of(notes.getAll())) {
    if (record.round !== round && !record.edit && !record.gone) notes.delete(record.key);
  }
}

// Copies go before an edit is lost for want of room; they come again with the feed. Gives whether there were any.
export const makeRoom = () => write(async ({ notes, meta }) => {
  const copies = (await of(notes.getAll())).filter(({ edit, gone }) => !edit && !gone).sort((one, other) => (one.note?.updated_at < other.note?.updated_at ? -1 : 1));
  for (const { key } of copies.slice(0, ROOM)) notes.delete(key);
  meta.put({ name: "full", at: new Date().toISOString() });
  return copies.length > 0;
});

export const keptFile = (hash) => read(({ files }) => of(files.get(hash)));

// What stands in the settings: how many notes, their bytes, whether that is all of them, and whether room ran out.
export async function facts() {
  const [records, at, full] = await read(({ notes, meta }) => Promise.all([of(notes.getAll()), of(meta.get("feed")), of(meta.get("full"))]));
  const bytes = records.reduce((sum, { note, edit }) => sum + (note?.size ?? note?.body?.length ?? 0) + (edit?.body.length ?? 0), 0);
  return { notes: records.filter((record) => shown(record)).length, bytes, whole: at?.whole ?? false, full: full?.at ?? null };
}
