// Entry of a note's page: its text, the passage that was cited, its outline, and the ways on.

import { call } from "./api.js";
import { by, el } from "./dom.js";
import { documentActions, wayBack } from "./document-actions.js";
import { documentFacts } from "./document-facts.js";
import { langOf, t } from "./i18n.js";
import "./shell.js";
import { noteBody } from "./note-body.js";
import { outlineView } from "./outline.js";
import { lightUp } from "./passage.js";

const page = document.querySelector(".document");

async function open() {
  const id = location.pathname.split("/").at(-1);
  try {
    show(await call(`/api/documents/${id}`));
  } catch (problem) {
    page.dataset.state = "failed";
    by("document-title").textContent = t("title.document");
    notice(problem.status === 404 ? t("document.missing") : problem.unreachable ? t("answer.not_running") : t("document.failed", { reason: problem.message }));
  }
}

function show(note) {
  page.dataset.state = "open";
  document.title = `${note.title} · ${t("app.name")}`;
  const title = by("document-title");
  title.textContent = note.title;
  title.lang = langOf(note.title, note.lang);
  by("document-meta").textContent = documentFacts(note);
  const body = by("document-body");
  body.lang = note.lang;
  body.replaceChildren(...noteBody(note));
  const aside = [outlineView(body, note.outline, note.lang), backlinks(note.backlinks)].filter(Boolean);
  by("document-aside").replaceChildren(...aside);
  by("document-actions").replaceChildren(...documentActions(note));
  showPassage(body, note.text);
}

function showPassage(body, text) {
  const at = /^(\d+)-(\d+)$/.exec(new URLSearchParams(location.search).get("at") ?? "");
  if (!at) return;
  const marks = lightUp(body, text, Number(at[1]), Number(at[2]));
  if (marks.length === 0) return notice(t("document.changed"));
  const first = marks.find((mark) => mark.checkVisibility()) ?? by("document-title");
  first.tabIndex = -1;
  first.scrollIntoView({ block: "center" });
  first.focus({ preventScroll: true });
}

function backlinks(links) {
  if (links.length === 0) return null;
  return el("nav", { "aria-labelledby": "links-head" }, el("h2", { id: "links-head" }, t("document.linked_from", { n: links.length })),
    el("ul", {}, links.map((link) => el("li", {}, el("a", { href: `/d/${link.document_id}`, lang: langOf(link.title) }, link.title)))));
}

function notice(text) {
  const line = by("document-notice");
  line.textContent = text;
  line.hidden = false;
}

wayBack(by("back"));
open();
