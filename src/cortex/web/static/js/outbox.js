// What was asked for here and Cortex has not got yet, in order. A change is {n, change_id, op, key, base_version, at, tried, problem}; one that
// saves has `fields` (what was written) and `from` (the text it was written over), a file has `hash`, `name`, `type` and `size`.

import { of, read, write } from "./database.js";
import { hintWaiting } from "./device-hints.js";
import { lang } from "./i18n.js";
import { newKey } from "./new-key.js";
import { tell } from "./news.js";
import { makeRoom } from "./offline-store.js";

const PLACED = ["kind", "date", "topic", "tags"];
const [MOST, MOST_BYTES] = [50, 600_000];

// A note's text as it stands now, written over `from`. What was not sent yet is replaced, so that hours offline are one change.
export function keepEdit({ key, id, version }, fields, from, changeId = newKey()) {
  const at = new Date().toISOString();
  return queued(async ({ notes, outbox }) => {
    const record = await of(notes.get(key));
    const last = (await waitingOf(outbox, key)).findLast(({ op }) => op !== "attach");
    const replaces = last?.op === "save" && (!last.tried || last.problem);
    if (replaces) outbox.put({ ...last, fields, at, tried: false, problem: undefined, ...(last.problem ? { change_id: newKey() } : {}) });
    else outbox.add({ change_id: changeId, op: "save", key, base_version: last ? last.base_version : versionOf(from, version, record?.note), from: version || last ? from : null, fields, at });
    notes.put({ ...record, key, id: record?.id ?? id ?? undefined, edit: { ...fields, at } });
  });
}

// `op` is trash, restore or delete.
export function keepWish(op, { key, version }) {
  return queued(async ({ notes, outbox }) => {
    const last = (await waitingOf(outbox, key)).findLast((change) => change.op !== "attach");
    outbox.add({ change_id: newKey(), op, key, base_version: op === "restore" ? null : last ? last.base_version : version || null, at: new Date().toISOString() });
    const record = await of(notes.get(key));
    if (record) notes.put({ ...record, gone: op });
  });
}

// A file of the note; its bytes stay here until Cortex has them.
export function keepFile(key, { hash, name, type, blob }) {
  return queued(({ outbox, files }) => {
    files.put({ hash, name, type, blob });
    outbox.add({ change_id: newKey(), op: "attach", key, hash, name, type, size: blob.size, at: new Date().toISOString() });
  });
}

// The next changes to be sent, at most one of each note: what becomes of it decides what the one after it means. They are marked as sent,
// since a reply may be lost. A file comes alone, as {…change, id, blob}.
export function take(most = MOST) {
  return write(async ({ notes, outbox, files }) => {
    const batch = [];
    let bytes = 0;
    for (const change of await of(outbox.getAll())) {
      if (change.problem) continue;
      if (batch.some(({ key }) => key === change.key) || batch.length === most) break;
      if (change.op === "attach") {
        if (batch.length) break;
        const [record, file] = [await of(notes.get(change.key)), await of(files.get(change.hash))];
        if (!record?.note?.id) continue;
        return [{ ...change, id: record.note.id, blob: file?.blob }];
      }
      bytes += sizeOf(change);
      if (batch.length && bytes > MOST_BYTES) break;
      batch.push(change);
    }
    for (const change of batch) outbox.put({ ...change, tried: true });
    return batch;
  });
}

// As Cortex is told of it. Of kind, date, topic and tags only what was changed: the rest may have been changed elsewhere.
export function sent({ change_id, op, key, base_version, from, fields }, { lean = false } = {}) {
  if (op !== "save") return { change_id, op, key, base_version };
  const placed = PLACED.filter((name) => from ? JSON.stringify(from[name]) !== JSON.stringify(fields[name]) : fields[name] !== undefined);
  return { change_id, op, key, base_version, ...(from && !lean ? { base: { title: from.title, body: from.body } } : {}), title: fields.title, body: fields.body,
    ...Object.fromEntries(placed.map((name) => [name, fields[name]])), language: lang };
}

// Whether the note, as Cortex tells it, says what these fields say.
export const sameText = (note, fields) => note.body === fields.body && (note.titled === false ? "" : note.title) === fields.title;

// A version counts only with the text that it is of: over another text, an earlier one is named, so that Cortex puts the two together.
function versionOf(from, version, known) {
  if (!version) return null;
  return known?.version === version && from && !sameText(known, from) ? version - 1 : version;
}

export const waitsFor = (key) => read(async ({ outbox }) => (await of(outbox.index("key").count(key))) > 0);
export const waiting = () => read(({ outbox }) => of(outbox.getAll()));
export const waitingOf = async (outbox, key) => (await of(outbox.index("key").getAll(key))).sort((one, other) => one.n - other.n);

// Tells every tab how many notes and files wait; called after each change of the outbox.
export async function count() {
  const n = new Set((await waiting()).map(({ key, hash }) => hash ?? key)).size;
  hintWaiting(n);
  tell("waiting", { n });
  return n;
}

const sizeOf = (change) => new Blob([JSON.stringify(sent(change))]).size;

async function queued(work) {
  try {
    await write(work);
  } catch (problem) {
    if (problem.reason !== "quota" || !(await makeRoom())) throw problem;
    await write(work);
  }
  await count();
}
