// The notes that are written here. The only module of their pages that knows where they are kept: everything else says what it wants.
// A note is {id, key, version, title, body, lang, kind, date, topic, tags, origin, …}; a failure is a Problem (see api.js).

import { call } from "./api.js";
import { upload } from "./upload.js";

const NOTES = "/api/notes";
const at = (id, rest = "") => `${NOTES}/${id}${rest}`;
const ifMatch = (version) => ({ "If-Match": `"${version}"` });
const asked = (values) => new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ""));

// `what` is {q, tag, topic, kind, trash, after, limit}; gives {notes without body, total, next}.
export async function list(what, signal) {
  const found = await call(`${NOTES}?${asked(what)}`, { signal });
  // The API narrows by tag and kind; a topic is narrowed here as well, page by page.
  return what.topic ? { ...found, notes: found.notes.filter((note) => note.topic === what.topic) } : found;
}
export const get = (id) => call(at(id));

// The note of a key, looked for among the newest changes; undefined when it is not there.
export async function byKey(key) {
  let found = await list({ limit: 100 });
  for (let page = 0; page < 10 && found.next && !found.notes.some((note) => note.key === key); page += 1) found = await list({ limit: 100, after: found.next });
  const { id } = found.notes.find((note) => note.key === key) ?? {};
  return id && get(id);
}

// `note` brings its key, so that asking twice makes one note.
export const create = (note, { leaving = false } = {}) => call(NOTES, { method: "POST", body: note, keepalive: leaving });

// Refused with 409 and `told.current` when another version came in between. `leaving`: the page may be gone before the reply.
export const save = (id, version, note, { leaving = false } = {}) =>
  call(at(id), { method: "PUT", headers: ifMatch(version), body: note, keepalive: leaving });

export const trash = (id) => call(at(id), { method: "DELETE" });
export const restore = (id) => call(at(id, "/restore"), { method: "POST" });
export const deleteForGood = (id) => call(at(id, "?for_good=true"), { method: "DELETE" });
export const emptyTrash = () => call(at("trash"), { method: "DELETE" });

// The answers that quote a note: [{answer_id, conversation_id, question}].
export const answersWith = async (id) => (await call(at(id, "/answers"))).answers;

// The note of a day or of its week, made if it is missing.
export const ofDay = (date, language) => call(at("day"), { method: "POST", body: { date, language } });
export const ofWeek = (date, language) => call(at("week"), { method: "POST", body: { date, language } });

export const history = async (id) => (await call(at(id, "/revisions"))).revisions;
export const revision = (id, version) => call(at(id, `/revisions/${version}`));
export const restoreRevision = (id, version, current) => call(at(id, `/revisions/${version}/restore`), { method: "POST", headers: ifMatch(current) });
export const keepRevision = (id, version, kept) => call(at(id, `/revisions/${version}`), { method: "PATCH", body: { kept } });

// Reads a note again that could not be indexed.
export const indexAgain = (id) => call(at(id, "/index"), { method: "POST" });

// A file of the note: gives {hash, name, media_type, size, url, …}. `how` is {progress(share), signal}.
export const attach = (id, file, how) => upload(at(id, `/attachments?${asked({ name: file.name })}`), file, how);

// Titles for a link: [{document_id, title, source, kind, lang, date}].
export const titles = async (q, limit = 8) => (await call(`${NOTES}/titles?${asked({ q, limit })}`)).titles;
export const names = (q = "") => call(`/api/scopes?${new URLSearchParams({ q })}`);
// On every note that has it; a name that is there already takes them in. Gives how many notes there were.
export const renameTag = async (from, to) => (await call("/api/tags/rename", { method: "POST", body: { from, to } })).notes;
export const linkedFrom = async (id) => (await call(`/api/documents/${id}`)).backlinks;

// A new note's key: 32 hexadecimal digits of a random UUID. (crypto.randomUUID is missing where a page came without TLS.)
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
