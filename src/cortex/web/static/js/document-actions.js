// What can be done with a note: ask it, edit it if it is our own, open its original (a web page or Obsidian), else copy its path; and the way back.

import { el, icon } from "./dom.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";
import { safeOpenUrl } from "./source-facts.js";
import { FROM } from "./way-back.js";

export function documentActions(note) {
  const ask = el("a", { class: "button", href: `/?scope=note:${note.document_id}` }, t("document.ask_note"));
  if (note.editable) return [ask, el("a", { class: "button primary", href: `/notes/${note.document_id}` }, t("document.edit"))];
  const url = safeOpenUrl(note.open_url);
  if (!url) return [ask, copyPath(pathOf(note))];
  const name = url.startsWith("obsidian:") ? "document.open_obsidian" : "document.open_original";
  return [ask, el("a", { class: "button", href: url, rel: "noopener noreferrer", target: url.startsWith("http") ? "_blank" : undefined }, t(name), icon("out"))];
}

function pathOf(note) {
  return note.url.startsWith("file://") ? decodeURIComponent(note.url.slice("file://".length)) : note.url;
}

function copyPath(path) {
  const label = el("span", {}, t("document.copy_path"));
  return el("button", { type: "button", class: "button", title: path, on: { click: async () => {
    await navigator.clipboard.writeText(path);
    label.textContent = t("document.path_copied");
    announce(t("document.path_copied"));
  } } }, icon("copy"), label);
}

export function wayBack(link) {
  const from = sessionStorage.getItem(FROM);
  if (!from) return;
  link.href = from;
  link.lastElementChild.textContent = t("document.back");
  link.addEventListener("click", (event) => {
    // Going back keeps the place in the answer; a new visit would not.
    const history_ = window.navigation?.entries?.() ?? [];
    const before = history_[(window.navigation?.currentEntry?.index ?? 0) - 1];
    if (before?.url !== new URL(from, location.href).href || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    history.back();
  });
}
