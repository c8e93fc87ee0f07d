// The notes that are written here. The only module of their pages that knows where they are kept: everything else says what it wants.
// A note is {id, key, version, title, body, lang, kind, date, topic, tags, origin, …}; a failure is a Problem (see api.js). One that Cortex
// does not know yet has no id, and `waiting` says that something of it is on this device only.

import { call, Problem } from "./api.js";
import { copyIsOn } from "./device-hints.js";
import { lang } from "./i18n.js";

export { newKey } from "./new-key.js";

const NOTES = "/api/notes";
const at = (id, rest = "") => `${NOTES}/${id}${rest}`;
const ifMatch = (version) => ({ "If-Match": `"${version}"` });
const asked = (values) => new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ""));

let loading = copyIsOn() ? import("./kept-notes.js").catch(() => null) : null;
let copy = null;
loading?.then((found) => (copy = found));

// Whether edits are kept on this device before they are sent.
export const keepsHere = () => loading !== null;

// With the copy of this browser, unless it has none or that cannot be read.
async function kept(withCopy, without) {
  const here = copy ?? (await loading);
  if (!here) return without();
  try {
    return await withCopy(here);
  } catch (problem) {
    if (!problem.reason) throw problem;
    // Why this device keeps nothing: no room, a database of a later Cortex, a browser that allows none.
    dispatchEvent(new CustomEvent("cortex.storage", { detail: problem.reason }));
    if (problem.reason !== "quota") loading = copy = null;
    return without();
  }
}

// `what` is {q, tag, topic, kind, trash, after, limit}; gives {notes without body, total, next}.
export function list(what, signal) {
  const ask = async () => {
    const found = await call(`${NOTES}?${asked(what)}`, { signal });
    // The API narrows by tag and kind; a topic is narrowed here as well, page by page.
    return what.topic ? { ...found, notes: found.notes.filter((note) => note.topic === what.topic) } : found;
  };
  return kept((here) => here.list(what, ask), ask);
}

export function get(id) {
  const ask = () => call(at(id));
  return kept((here) => here.get(id, ask), ask);
}

// The note of a key; undefined when it is not there.
export const byKey = (key) => kept((here) => here.byKey(key, (id) => (id ? call(at(id)) : searched(key))), () => searched(key));

// Looked for among the newest changes.
async function searched(key) {
  const page = (after) => call(`${NOTES}?${asked({ limit: 100, after })}`);
  let found = await page();
  for (let n = 0; n < 10 && found.next && !found.notes.some((note) => note.key === key); n += 1) found = await page(found.next);
  const { id } = found.notes.find((note) => note.key === key) ?? {};
  return id && call(at(id));
}

// `note` brings its key, so that asking twice makes one note.
export const create = (note, { leaving = false } = {}) => call(NOTES, { method: "POST", body: note, keepalive: leaving });

// `from` is the text that `fields` were written over. Gives {note, kept}: `kept` where this device has it, and Cortex will. Without the copy it
// is refused with 409 and `told.current` when another version came in between. `leaving`: the page may be gone before the reply.
export function save(note, fields, { from = null, leaving = false, changeId } = {}) {
  if (leaving && copy) return copy.saveLeaving(note, fields, from, changeId);
  return kept((here) => here.save(note, fields, from), async () => {
    const content = { ...fields, language: lang };
    if (!note.id) return { note: await create({ ...content, key: note.key }, { leaving }) };
    return { note: await call(at(note.id), { method: "PUT", headers: ifMatch(note.version), body: content, keepalive: leaving }) };
  });
}

const wish = (op, note, ask) => kept((here) => here.wish(op, note, note.id ? ask : () => Promise.reject(new Problem(0))), ask);
export const trash = (note) => wish("trash", note, () => call(at(note.id), { method: "DELETE" }));
export const restore = (note) => wish("restore", note, () => call(at(note.id, "/restore"), { method: "POST" }));
export const deleteForGood = (note) => wish("delete", note, () => call(at(note.id, "?for_good=true"), { method: "DELETE" }));
export const emptyTrash = () => call(at("trash"), { method: "DELETE" });

// The answers that quote a note: [{answer_id, conversation_id, question}].
export const answersWith = async (id) => (await call(at(id, "/answers"))).answers;

// The note of a day or of its week, made if it is missing; without Cortex, one that is made by its first words.
const dated = (kind, date, language, ask, template = "") => kept((here) => here.orHere(ask, () => here.dated(kind, date, template)), ask);
export const ofDay = (date, language) => dated("note", date, language, () => call(at("day"), { method: "POST", body: { date, language } }));
export const ofWeek = (date, language, template) => dated("weekly", date, language, () => call(at("week"), { method: "POST", body: { date, language } }), template);

// Reads a note again that could not be indexed.
export const indexAgain = (id) => call(at(id, "/index"), { method: "POST" });

// A file of the note: gives {hash, name, media_type, size, url, …}; `waiting` where it is kept on this device until Cortex can be reached.
// `how` is {progress(share), signal}.
export async function attach(note, file, how) {
  const { upload } = await import("./upload.js");
  const send = (id) => upload(at(id, `/attachments?${asked({ name: file.name })}`), file, how);
  return kept(async (here) => {
    const id = note.id ?? (await here.idOf(note.key));
    return here.orHere(() => (id ? send(id) : Promise.reject(new Problem(0))), () => here.attach(note.key, file), 0);
  }, () => send(note.id));
}

// Titles for a link: [{document_id, title, source, kind, lang, date}].
export function titles(q, limit = 8) {
  const ask = async () => (await call(`${NOTES}/titles?${asked({ q, limit })}`)).titles;
  return kept((here) => here.orHere(ask, () => here.titles(q, limit)), ask);
}

export function names(q = "") {
  const ask = () => call(`/api/scopes?${new URLSearchParams({ q })}`);
  return kept((here) => here.orHere(ask, () => here.names(q)), ask);
}

// On every note that has it; a name that is there already takes them in. Gives how many notes there were.
export const renameTag = async (from, to) => (await call("/api/tags/rename", { method: "POST", body: { from, to } })).notes;
export const linkedFrom = async (id) => (await call(`/api/documents/${id}`)).backlinks;
