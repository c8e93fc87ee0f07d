// The database in this browser: notes as they were last heard of, edits and files that wait, how far the feed was read.
// A failure is a StoreProblem with a `reason`: quota (no room), newer (a later Cortex made it), denied, blocked, broken.

import { waitingHint } from "./device-hints.js";

const NAME = "cortex";
const VERSION = 1;
const BLOCKED_MS = 4000;
const AGAIN_MS = 300;
const REASONS = { QuotaExceededError: "quota", VersionError: "newer", SecurityError: "denied" };
export const STORES = ["notes", "outbox", "files", "meta"];

export class StoreProblem extends Error {
  constructor(reason, cause) {
    super(reason, { cause });
    this.reason = reason;
  }
}

let opening = null;

// Runs `work(stores, transaction)` in one transaction; resolves with what it gave once that is on the disk.
export async function transact(mode, work) {
  const database = await opened();
  let transaction;
  try {
    transaction = begun(database, mode);
  } catch {
    // It was closed meanwhile, by a later version or because the browser's data was cleared.
    forget();
    transaction = begun(await opened(), mode);
  }
  const settled = new Promise((settle, refuse) => {
    transaction.oncomplete = settle;
    transaction.onabort = () => refuse(named(transaction.error));
  });
  try {
    const stores = Object.fromEntries(STORES.map((name) => [name, transaction.objectStore(name)]));
    const [result] = await Promise.all([aborting(transaction, work(stores, transaction)), settled]);
    return result;
  } catch (error) {
    await settled.catch(() => {});
    const cause = transaction.error ?? error;
    throw cause instanceof DOMException ? named(cause) : error;
  }
}

function begun(database, mode) {
  try {
    return database.transaction(STORES, mode, { durability: "strict" });
  } catch (error) {
    throw named(error);
  }
}

export const read = (work) => transact("readonly", work);
export const write = (work) => transact("readwrite", work);

// What a request gives, or throws.
export function of(request) {
  return new Promise((settle, refuse) => {
    request.onsuccess = () => settle(request.result);
    request.onerror = () => refuse(named(request.error));
  });
}

// All of it goes: the next use begins anew, from what the server has.
export async function removeDatabase() {
  const database = await opening?.catch(() => null);
  database?.close();
  forget();
  await of(indexedDB.deleteDatabase(NAME));
}

function opened() {
  opening ??= sound().catch((problem) => {
    forget();
    throw problem;
  });
  return opening;
}

function forget() {
  opening = null;
}

// One that cannot be read is made anew, unless edits are known to wait in it: then nothing is thrown away unasked.
async function sound() {
  for (const last of [false, true]) {
    try {
      return await open();
    } catch (problem) {
      if (problem.reason !== "broken" || (last && waitingHint() > 0)) throw problem;
      if (last) await of(indexedDB.deleteDatabase(NAME));
      else await new Promise((settle) => setTimeout(settle, AGAIN_MS));
    }
  }
  return open();
}

function open() {
  return new Promise((settle, refuse) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = ({ oldVersion }) => upgrade(request.result, oldVersion);
    request.onblocked = () => setTimeout(() => refuse(new StoreProblem("blocked")), BLOCKED_MS);
    request.onerror = () => refuse(named(request.error));
    request.onsuccess = () => {
      const database = request.result;
      // A later version of this page, in another tab, changes the schema.
      database.onversionchange = () => {
        database.close();
        forget();
      };
      database.onclose = forget;
      if (STORES.every((name) => database.objectStoreNames.contains(name))) return settle(database);
      database.close();
      refuse(new StoreProblem("broken"));
    };
  });
}

// Step by step, so that every earlier version becomes this one.
function upgrade(database, from) {
  if (from < 1) {
    const notes = database.createObjectStore("notes", { keyPath: "key" });
    notes.createIndex("id", "id");
    notes.createIndex("news", "news.at");
    database.createObjectStore("outbox", { keyPath: "n", autoIncrement: true }).createIndex("key", "key");
    database.createObjectStore("files", { keyPath: "hash" });
    database.createObjectStore("meta", { keyPath: "name" });
  }
}

async function aborting(transaction, work) {
  try {
    return await work;
  } catch (error) {
    try {
      transaction.abort();
    } catch {
      // It is over already.
    }
    throw error;
  }
}

function named(error) {
  if (error instanceof StoreProblem) return error;
  return new StoreProblem(REASONS[error?.name] ?? "broken", error);
}
