// Entry of a note's page: its text, the passage that was cited, its outline, and the ways on.

import { call } from "./api.js";
import { by, el } from "./dom.js";
import { documentActions, wayBack } from "./document-actions.js";
import { documentFacts } from "./document-facts.js";
import { t } from "./i18n.js";
import { toBoxByKey } from "./keys.js";
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
  title.lang = note.lang;
  by("document-meta").textContent = documentFacts(note);
  const body = by("document-body");
  body.lang = note.lang;
  body.replaceChildren(...settledHeadings(nodesOf(note.html), note.title));
  const aside = [outlineView(body, note.outline, note.lang), backlinks(note.backlinks)].filter(Boolean);
  by("document-aside").replaceChildren(...aside);
  by("document-actions").replaceChildren(...documentActions(note));
  showPassage(body, note.text);
}

// The server made this HTML safe. It is parsed in a document of its own, where nothing is loaded or run.
function nodesOf(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const table of parsed.querySelectorAll("table")) {
    const box = el("div", { class: "table-box", tabindex: "0" });
    table.replaceWith(box);
    box.append(table);
  }
  for (const code of parsed.querySelectorAll("pre")) code.tabIndex = 0;
  for (const link of parsed.querySelectorAll('a[href^="http"]')) {
    link.rel = "noopener noreferrer";
    link.target = "_blank";
  }
  return [...parsed.body.childNodes];
}

// The page's h1 is the title: a first heading that repeats it is hidden, the note's own h1 come a level down.
function settledHeadings(nodes, title) {
  const [first] = nodes.filter((node) => node.nodeType === Node.ELEMENT_NODE);
  if (first?.matches("h1") && first.textContent.trim() === title.trim()) first.hidden = true;
  return nodes.map((node) => {
    if (node.nodeName !== "H1") return node;
    return el("h2", { "data-s": node.dataset.s, "data-e": node.dataset.e, hidden: node.hidden }, ...node.childNodes);
  });
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
    el("ul", {}, links.map((link) => el("li", {}, el("a", { href: `/d/${link.document_id}` }, link.title)))));
}

function notice(text) {
  const line = by("document-notice");
  line.textContent = text;
  line.hidden = false;
}

toBoxByKey();
wayBack(by("back"));
open();
