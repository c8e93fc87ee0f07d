// Entry of the trash: notes that were thrown away, to be taken back or deleted for good. It stays until a person empties it.

import { by, el } from "./dom.js";
import { deleteForGood, emptyTrash } from "./delete-dialog.js";
import { lang, langOf, t } from "./i18n.js";
import { announce } from "./live-status.js";
import { momentText } from "./moments.js";
import { originText } from "./origin.js";
import * as store from "./note-store.js";
import { problemText } from "./problem-text.js";
import "./shell.js";

const PAGE = 50;
const list = by("trash-list");
const kilobytes = new Intl.NumberFormat(lang, { style: "unit", unit: "kilobyte", maximumFractionDigits: 1 });
let total = 0;
let bytes = 0;
let whole = false;

async function show(after = null) {
  list.setAttribute("aria-busy", "true");
  try {
    const found = await store.list({ trash: true, limit: PAGE, after });
    total = found.total;
    if (!after) list.replaceChildren();
    bytes = (after ? bytes : 0) + found.notes.reduce((sum, note) => sum + note.size, 0);
    whole = !found.next;
    list.append(...found.notes.map(row));
    by("trash-more").replaceChildren(...(found.next ? [button("find.more", "", () => show(found.next))] : []));
    counted();
    failed(null);
  } catch (problem) {
    failed(problem, () => show(after));
  }
  list.removeAttribute("aria-busy");
}

function counted() {
  by("empty-trash").hidden = total === 0;
  const size = whole ? ` ${t("trash.size", { size: kilobytes.format(bytes / 1000) })}` : "";
  by("trash-lead").textContent = total ? t("trash.count", { n: total }) + size : t("trash.nothing");
}

function row(note) {
  const item = el("li", { class: "desk-row trash-row", "data-id": note.id },
    el("div", { class: "desk-row-head" }, el("h2", {}, el("a", { href: `/notes/${note.id}`, lang: langOf(note.title, note.lang) }, note.title)),
      el("div", { class: "desk-buttons" }, button("trash.restore", "", () => back(note, item), note.title), button("trash.delete", "danger", () => gone(note, item), note.title))),
    el("p", { class: "muted" }, [t("trash.since", { time: momentText(note.trashed_at) }), originText(note)].filter(Boolean).join("\u00a0· ")),
    note.excerpt && el("p", { class: "trash-words", lang: langOf(note.excerpt, note.lang) }, note.excerpt));
  return item;
}

async function back(note, item) {
  try {
    await store.restore(note.id);
    took(note, item, t("trash.restored", { title: note.title }));
  } catch (problem) {
    failed(problem, () => back(note, item));
  }
}

async function gone(note, item) {
  if (await deleteForGood(note)) took(note, item, t("trash.deleted", { title: note.title }));
  else item.querySelector(".danger").focus();
}

function took(note, item, said) {
  const next = item.nextElementSibling ?? item.previousElementSibling;
  item.remove();
  total -= 1;
  bytes -= note.size;
  counted();
  announce(said);
  (next?.querySelector("button") ?? by("main")).focus();
}

function button(name, kind, act, of = "") {
  return el("button", { type: "button", class: `button ${kind}`, "aria-label": of ? `${t(name)}: ${of}` : undefined, on: { click: act } }, t(name));
}

function failed(problem, again) {
  by("trash-notice").hidden = !problem;
  if (problem) by("trash-notice").replaceChildren(el("span", {}, t("trash.failed", { reason: problemText(problem) })), button("ask.try_again", "", again));
}

by("empty-trash").addEventListener("click", async () => {
  if (!(await emptyTrash(total))) return by("empty-trash").focus();
  announce(t("trash.emptied"));
  await show();
  by("main").focus();
});
show();
