// Entry of the Notes page: the list, and beside it (on a phone in its place) the note that the address names.

import { by, el } from "./dom.js";
import { Editor } from "./editor.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";
import { noteBacklinks } from "./note-backlinks.js";
import { watchIndex } from "./note-index.js";
import { NoteList } from "./note-list.js";
import { noteMenu } from "./note-menu.js";
import * as store from "./note-store.js";
import { derivedTitle } from "./note-text.js";
import { addressOf, noteOf, withUnsaved } from "./open-note.js";
import { problemText } from "./problem-text.js";
import "./shell.js";

const page = document.querySelector(".notes");
const wide = matchMedia("(min-width: 1024px)");
const opens = page.dataset.view === "note";
const list = new NoteList();
const locks = opens ? import("./tab-lock.js") : null;
let lock = null;
let editor = null;

async function open() {
  try {
    show(await noteOf(new URL(location.href)));
  } catch (problem) {
    page.dataset.state = "failed";
    by("note-failed-text").textContent = problem.status === 404 ? t("editor.missing") : t("editor.failed", { reason: problemText(problem) });
    by("note-failed").hidden = false;
  }
}

async function show({ note, ...fresh }) {
  by("editor").hidden = false;
  editor = new Editor(told);
  noteBacklinks(() => editor.note?.id);
  if (store.keepsHere()) import("./note-news.js").then(({ followNews }) => followNews({ editor, list }));
  const isNew = location.pathname === "/notes/new";
  if (note.id) history.replaceState(history.state, "", addressOf(note));
  if (note.trashed_at) return inTrash(note);
  named(note);
  if (await pen(note.key)) write(note.id ? withUnsaved(note) : { note, ...fresh });
  else readAlong(note);
  if (isNew) editor.focus(firstGap(note.body));
  page.dataset.state = "open";
}

function write({ note, typed, base }) {
  editor.open(note, { typed, base });
  editor.readOnly = false;
  editor.notices.say("lock", null);
  tellCopies(note);
  if (note.id) watchIndex(note, editor.notices, list);
  if (typed && base) announce(t("editor.brought_back"));
}

function readAlong(note) {
  if (note) editor.open(note);
  editor.readOnly = true;
  editor.notices.say("lock", t("editor.elsewhere"), [["editor.edit_here", () => lock.take()]], "");
}

function inTrash(note) {
  editor.open(note);
  editor.readOnly = true;
  named(note);
  editor.notices.say("trash", t("editor.in_trash"), [["trash.restore", async () => {
    await store.restore(note);
    location.reload();
  }]]);
}

// One tab writes; the others read along. Says whether this one writes.
async function pen(key) {
  const { TabLock } = await locks;
  const now = async () => (editor.note?.id ? store.get(editor.note.id) : ((store.keepsHere() && (await store.byKey(key))) || editor.note));
  lock = new TabLock(key, {
    held: async () => write(withUnsaved(await now())),
    lost: () => readAlong(),
    changed: async () => editor.open(await now()),
    flush: () => editor.flush(),
  });
  return lock.open();
}

async function told(state, { note, theirs, mine, base, copy }) {
  if (state === "kept") lock?.saved();
  if (state === "saved") {
    lock?.saved();
    editor.notices.say("trash", null);
    if (!note.id || location.pathname !== `/notes/${note.id}`) history.replaceState(history.state, "", addressOf(note));
    named(note);
    list.saved(note);
    watchIndex(note, editor.notices, list);
  }
  if (["unsaved", "kept"].includes(state) && note && !note.id && !location.search.includes("key=")) history.replaceState(history.state, "", addressOf(note));
  if (state === "conflict") await decide(theirs, mine, base, copy);
  if (state === "trashed") editor.notices.say("trash", t("editor.was_trashed"), [["trash.restore", async () => {
    editor.notices.say("trash", null);
    editor.settle(await store.restore(theirs), editor.read());
  }]]);
}

// What was written here may be kept as a note of its own, `copy`: once it is decided, that one goes into the trash.
async function decide(theirs, mine, base, copy) {
  const { decideBetween } = await import("./two-versions.js");
  decideBetween({ theirs, mine, base }, async (fields) => {
    // With the caret in the text the choice is something typed, which undo takes back.
    editor.focus(0);
    await editor.settle(theirs, fields);
    if (copy) store.trash(copy);
  });
}

// The other version was kept as a note of its own, by a merge that could not be made.
function tellCopies(note) {
  if (!note.conflict_of && !note.copies?.length) return;
  editor.notices.say("copies", t("conflict.heading"), [["conflict.compare", async () => (await import("./two-versions.js")).compareCopies(note, editor)]]);
}

function named(note) {
  const title = note.title || derivedTitle(note.body ?? "") || t("editor.new");
  document.title = `${title} · ${t("app.name")}`;
  noteMenu(note, () => editor.flush());
}

// A template leaves its first gap for the first words.
function firstGap(body) {
  const at = /^- $|^#.*\n\n(?=\n)/m.exec(body);
  return at ? at.index + at[0].length : body.length;
}

if (opens) open();
else by("no-note").hidden = false;
if (!opens && store.keepsHere()) import("./note-news.js").then(({ followNews }) => followNews({ editor, list }));
if (!opens || wide.matches) list.load();
wide.addEventListener("change", () => wide.matches && list.load());
