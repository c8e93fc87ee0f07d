// What becomes of changes that were sent: they leave the outbox, and what waits behind them follows from what came of them.

import { of, write } from "./database.js";
import { count, sameText, waitingOf } from "./outbox.js";
import { tell } from "./news.js";

// `results` are those of POST /api/changes; a change without one stays. Gives [{change, result, left}]: `left` says whether more of the note waits.
export async function settle(batch, results) {
  const settled = await write(async (stores) => {
    const found = [];
    for (const change of batch) {
      const result = results.find(({ change_id: id }) => id === change.change_id);
      if (!result) continue;
      await (result.outcome === "rejected" ? refuse(stores, change, result) : accept(stores, change, result));
      found.push({ change, result, left: (await waitingOf(stores.outbox, change.key)).length > 0 });
    }
    return found;
  });
  await count();
  for (const each of settled) tell("settled", { ...each, change: { ...each.change, blob: undefined } });
  return settled;
}

// A person gives up a change that cannot be sent.
export async function discard(n) {
  await write(async ({ notes, outbox, files }) => {
    const change = await of(outbox.get(n));
    outbox.delete(n);
    if (change.op === "attach") return files.delete(change.hash);
    await quiet(notes, outbox, change.key, {});
  });
  await count();
  tell("changed", { notes: [] });
}

// Once more, whatever was said of them.
export const offerAgain = () => write(async ({ outbox }) => {
  for (const change of await of(outbox.getAll())) if (change.problem) outbox.put({ ...change, problem: undefined });
});

async function refuse({ outbox }, { n }, { problem }) {
  const now = await of(outbox.get(n));
  if (now) outbox.put({ ...now, problem: problem ?? {} });
}

async function accept({ notes, outbox, files }, change, result) {
  outbox.delete(change.n);
  if (change.op === "attach") {
    const others = (await of(outbox.getAll())).some(({ op, hash }) => op === "attach" && hash === change.hash);
    if (!others) files.delete(change.hash);
    return;
  }
  for (const later of await waitingOf(outbox, change.key)) outbox.put(following(later, change, result));
  const record = await of(notes.get(change.key));
  if (result.outcome === "conflict") await keepCopy(notes, outbox, record, result);
  await quiet(notes, outbox, change.key, { note: newest(record?.note, result.note), gone: result.note === null, news: newsOf(change, result) });
}

// What waits behind a change. Where the note is now what the later text was written over, it follows that version; else its own base decides.
function following(later, change, { outcome, note, version, copy }) {
  if (later.op === "save" && change.op === "save") {
    if (outcome === "conflict") return { ...later, key: copy.key, base_version: copy.version, from: change.fields };
    return note && sameText(note, later.from ?? change.fields) ? { ...later, base_version: version, from: later.from ?? change.fields } : { ...later, from: later.from ?? change.fields };
  }
  if (outcome === "conflict") return later.op === "attach" ? { ...later, key: copy.key } : later;
  // Deleted after an edit that met nobody else's: what is deleted is what was seen.
  return ["applied", "revived"].includes(outcome) && later.op !== "attach" ? { ...later, base_version: later.op === "restore" ? null : version ?? null } : later;
}

// Both versions are kept: what was written here goes on in the second note.
async function keepCopy(notes, outbox, record, { copy }) {
  const waits = (await waitingOf(outbox, copy.key)).some(({ op }) => op === "save");
  notes.put({ key: copy.key, id: copy.id, note: copy, edit: waits ? record?.edit : undefined });
}

// The record without what does not wait any more.
async function quiet(notes, outbox, key, { note, gone, news }) {
  const record = await of(notes.get(key));
  if (!record) return note && notes.put({ key, id: note.id, note, news });
  const waits = await waitingOf(outbox, key);
  const edit = waits.some(({ op }) => op === "save") ? record.edit : undefined;
  const wish = waits.some(({ op }) => ["trash", "restore", "delete"].includes(op)) ? record.gone : undefined;
  const now = gone ? undefined : (note ?? record.note);
  if (!now && !edit) return notes.delete(key);
  return notes.put({ ...record, id: now?.id, note: now, edit, gone: wish, news: news ?? record.news });
}

const newest = (one, other) => (one && other && one.version > other.version ? one : (other ?? undefined));

// Only what a person would want to know: that two edits met, or that a note is there again.
function newsOf(change, { outcome, note, copy }) {
  if (outcome === "applied" || (outcome === "merged" && note && sameText(note, change.fields))) return undefined;
  return { outcome, op: change.op, at: new Date().toISOString(), copy: copy && { id: copy.id, key: copy.key, title: copy.title } };
}
