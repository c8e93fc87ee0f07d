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
import { TabLock } from "./tab-lock.js";

const page = document.querySelector(".notes");
const wide = matchMedia("(min-width: 1024px)");
const opens = page.dataset.view === "note";
const list = new NoteList();
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
    await store.restore(note.id);
    location.reload();
  }]]);
}

// One tab writes; the others read along. Says whether this one writes.
function pen(key) {
  const now = async () => (editor.note?.id ? store.get(editor.note.id) : editor.note);
  lock = new TabLock(key, {
    held: async () => write(withUnsaved(await now())),
    lost: () => readAlong(),
    changed: async () => editor.open(await now()),
    flush: () => editor.flush(),
  });
  return lock.open();
}

async function told(state, { note, theirs, mine, base }) {
  if (state === "saved") {
    lock?.saved();
    if (!note.id || location.pathname !== `/notes/${note.id}`) history.replaceState(history.state, "", addressOf(note));
    named(note);
    list.saved(note);
    watchIndex(note, editor.notices, list);
  }
  if (state === "unsaved" && note && !note.id && !location.search.includes("key=")) history.replaceState(history.state, "", addressOf(note));
  if (state === "conflict") await decide(theirs, mine, base);
  if (state === "trashed") editor.notices.say("trash", t("editor.was_trashed"), [["trash.restore", async () => {
    editor.notices.say("trash", null);
    editor.settle(await store.restore(theirs.id), editor.read());
  }]]);
}

async function decide(theirs, mine, base) {
  const { decideBetween } = await import("./two-versions.js");
  decideBetween({ theirs, mine, base }, (fields) => {
    // With the caret in the text the choice is something typed, which undo takes back.
    editor.focus(0);
    editor.settle(theirs, fields);
    editor.focus(0);
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
if (!opens || wide.matches) list.load();
wide.addEventListener("change", () => wide.matches && list.load());
