// What comes of edits that waited and what is changed elsewhere, told to the note and the list that are open.

import { adopt, answered } from "./answered-edits.js";
import { by, el } from "./dom.js";
import { langOf, t } from "./i18n.js";
import { hear } from "./news.js";
import { forgetNews, noteOf, shown, withNews } from "./offline-store.js";

const MOMENT_MS = 1500;
const MOST = 3;

// `editor` is null where only the list is open.
export function followNews({ editor, list }) {
  hear("settled", ({ change, result, left }) => {
    if (isOpen(editor, change) && change.op === "save" && writes()) answered(editor.saving, change, result, left);
    else if (!left) list.saved({ key: change.key, ...result.note });
    if (result.copy) list.saved(result.copy);
    showNews(editor, list);
  });
  hear("changed", ({ notes }) => notes.forEach((record) => changed(record, editor, list)));
  hear("connection", ({ up }) => up && !editor && list.load());
  hear("waiting", () => setTimeout(() => keptFor(editor, list), MOMENT_MS));
  showNews(editor, list);
}

// What another tab writes is that tab's to settle.
const writes = () => !by("editor").hasAttribute("data-read-only");
const isOpen = (editor, { key }) => editor?.note?.key === key;

function changed(record, editor, list) {
  const note = shown(record);
  if (note && isOpen(editor, note)) (writes() ? adopt(editor.saving, note) : editor.open(note));
  if (isOpen(editor, record) && record.deleted) editor.notices.say("trash", t("editor.deleted"));
  if (!isOpen(editor, record)) list.saved(note ?? record);
}

// Nobody answers: what is kept here stands in the list, too.
async function keptFor(editor, list) {
  if (editor?.saving.state !== "kept") return;
  const note = await noteOf(editor.note.key);
  if (note?.waiting && !note.trashed_at) list.saved(note);
}

// Said above the note that is open, or above the list, until it was seen.
async function showNews(editor, list) {
  const found = (await withNews()).filter((record) => shown(record));
  const mine = found.find((record) => isOpen(editor, record));
  if (mine) {
    // A conflict is seen by itself: both versions stand side by side.
    if (mine.news.outcome !== "conflict") editor.notices.say("news", newsText(mine), [["offline.seen", () => editor.notices.say("news", null)]], "");
    forgetNews(mine.key);
  }
  const others = found.filter((record) => record !== mine).sort((one, other) => (one.news.at < other.news.at ? 1 : -1)).slice(0, MOST);
  by("notes-news")?.remove();
  if (others.length) by("notes-notice").after(el("ul", { id: "notes-news", class: "notes-news" }, others.map((record) => line(record, editor, list))));
}

function line(record, editor, list) {
  const { id, title } = shown(record);
  const seen = async () => {
    await forgetNews(record.key);
    showNews(editor, list);
  };
  return el("li", { class: "notice" }, el("a", { href: `/notes/${id}`, lang: langOf(title), on: { click: () => forgetNews(record.key) } }, title), el("span", {}, newsText(record)),
    el("button", { type: "button", class: "button", on: { click: seen } }, t("offline.seen")));
}

function newsText({ news: { outcome, op } }) {
  if (outcome === "conflict") return t("conflict.heading");
  if (outcome === "merged") return t("offline.merged");
  return t(op === "save" ? "offline.revived" : "offline.not_deleted");
}
