// Notes with this browser's copy behind them: read from Cortex while it answers, else from here; written here first, always.

import { Problem } from "./api.js";
import { isUp } from "./connection.js";
import { readFeed } from "./feed.js";
import { dated, isOurs, listed, names, titles, withWaiting } from "./local-notes.js";
import { heard, noteOf, noteOfId, recordOf, shown } from "./offline-store.js";
import { keepEdit, keepFile, keepWish, sent, waitsFor } from "./outbox.js";
import { answerTo, send } from "./send-changes.js";

const PATIENCE_MS = 5000;
const ANSWER_MS = 3000;

export { dated, names, titles };

// What Cortex says; what is here, where it cannot be reached or lets one wait for longer than `patience`.
export async function orHere(ask, here, patience = PATIENCE_MS) {
  if (isUp()) {
    try {
      return await Promise.race([ask(), ...(patience ? [new Promise((_, refuse) => setTimeout(() => refuse(new Problem(0)), patience))] : [])]);
    } catch (problem) {
      if (!away(problem)) throw problem;
    }
  }
  const found = await here();
  if (found) return found;
  throw new Problem(0);
}

const away = (problem) => problem.unreachable || problem.status >= 502;

export async function list(what, ask) {
  if (isOurs(what.after)) return listed(what);
  return orHere(async () => withWaiting(await ask(), what), () => listed(what));
}

export async function get(id, ask) {
  try {
    return await orHere(async () => over(await ask()), () => noteOfId(id));
  } catch (problem) {
    // Deleted elsewhere, and written on here: it is on its way back.
    const here = problem.status === 404 && (await noteOfId(id));
    if (here?.waiting) return here;
    throw problem;
  }
}

// The note of a key; null where there is none.
export async function byKey(key, ask) {
  const here = await noteOf(key);
  if (!here) return isUp() ? ask().catch(() => null) : null;
  return here.id && isUp() ? get(here.id, () => ask(here.id)) : here;
}

// What Cortex tells of a note, with what waits here over it.
async function over(note) {
  await heard(note);
  const record = await recordOf(note.key);
  return shown({ ...record, key: note.key, note }) ?? note;
}

// Resolves once this device has it; it is on its way then.
export async function save(note, fields, from) {
  await keepEdit(note, fields, from);
  send();
  return { kept: true, note };
}

// The page is about to be gone, and a database is too slow for that: sent as the browser lets it, under the id that the kept text has.
export function saveLeaving({ key, version }, fields, from, changeId) {
  const change = sent({ change_id: changeId, op: "save", key, base_version: version || null, from: version ? from : null, fields });
  return fetch("/api/changes", { method: "POST", keepalive: true, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ changes: [change] }) }).catch(() => null);
}

// Throws away, takes back, deletes: at once while Cortex answers and nothing of the note waits here, else in its turn. Gives what `ask` gives.
export async function wish(op, note, ask) {
  if (isUp() && !(await waitsFor(note.key))) {
    try {
      const told = await ask();
      readFeed();
      return told;
    } catch (problem) {
      if (!away(problem)) throw problem;
    }
  }
  await keepWish(op, note);
  const answered = answerTo(({ key, op: of }) => key === note.key && of === op, ANSWER_MS);
  send();
  await answered;
  return noteOf(note.key);
}

// The note's id once Cortex knows it; null while it cannot be reached.
export async function idOf(key) {
  const known = (await recordOf(key))?.note?.id;
  if (known) return known;
  const answered = answerTo((change) => change.key === key && change.op === "save", ANSWER_MS);
  send();
  await answered;
  return (await recordOf(key))?.note?.id ?? null;
}

// A file that waits here; its address is known already, since it is its content.
export async function attach(key, file) {
  if (!crypto.subtle) throw new Problem(0);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  const hash = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  await keepFile(key, { hash, name: file.name, type: file.type, blob: file });
  send();
  return { hash, name: file.name, size: file.size, waiting: true };
}
