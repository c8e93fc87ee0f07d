// Entry of a note's history: its versions, and what changed in the one that is looked at.

import { by, el, icon } from "./dom.js";
import { langOf, t } from "./i18n.js";
import { announce } from "./live-status.js";
import { momentText } from "./moments.js";
import * as store from "./note-store.js";
import { problemText } from "./problem-text.js";
import { revisionView } from "./revision-view.js";
import "./shell.js";

const id = Number(location.pathname.split("/")[2]);
const kilobytes = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: "kilobyte", maximumFractionDigits: 1 });
let note;
let revisions = [];

async function open() {
  try {
    [note, revisions] = await Promise.all([store.get(id), store.history(id)]);
    named();
    draw();
    await look(Number(new URLSearchParams(location.search).get("v")) || revisions[0]?.version);
  } catch (problem) {
    failed(problem);
  }
}

function named() {
  by("to-note").href = `/notes/${id}`;
  by("history-of").replaceChildren(el("span", { lang: langOf(note.title, note.lang) }, note.title), "\u00a0· ", t("history.count", { n: revisions.length }));
  document.title = `${note.title} · ${t("title.history")} · ${t("app.name")}`;
}

function draw() {
  by("revisions").replaceChildren(...revisions.map((revision) => el("li", {}, el("a", { href: `?v=${revision.version}`, "data-version": revision.version, on: { click: chosen } },
    el("span", { class: "revision-when" }, momentText(revision.at)),
    el("span", { class: "muted" }, [revision.version === note.version && t("history.now"), kilobytes.format(revision.size / 1000)].filter(Boolean).join("\u00a0· ")),
    revision.kept && el("span", { class: "revision-kept" }, icon("kept"), t("history.kept"))))));
}

// A click looks without a trip to the server for the whole page; the address says which version it is.
function chosen(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { version } = event.currentTarget.dataset;
  history.replaceState(null, "", `?v=${version}`);
  look(Number(version)).then(() => by("revision").focus());
}

async function look(version) {
  const at = revisions.findIndex((revision) => revision.version === version);
  if (at < 0) return failed({ message: t("history.missing") });
  for (const link of by("revisions").querySelectorAll("a")) link.toggleAttribute("aria-current", Number(link.dataset.version) === version);
  try {
    const [shown, before] = await Promise.all([store.revision(id, version), revisions[at + 1] ? store.revision(id, revisions[at + 1].version) : null]);
    by("revision").hidden = false;
    by("revision").replaceChildren(...revisionView({ revision: { ...revisions[at], ...shown }, before, note }, { restore, keep }));
    failed(null);
  } catch (problem) {
    failed(problem, () => look(version));
  }
}

async function restore(revision) {
  try {
    await store.restoreRevision(id, revision.version, note.version);
    location.assign(`/notes/${id}`);
  } catch (problem) {
    if (problem.status !== 409) return failed(problem, () => restore(revision));
    // It changed while this page was open: the list is anew, and what is restored over is seen first.
    await open();
    failed({ message: t("history.changed") });
  }
}

async function keep(revision) {
  try {
    await store.keepRevision(id, revision.version, !revision.kept);
    revisions = await store.history(id);
    draw();
    await look(revision.version);
    announce(t(revision.kept ? "history.not_kept" : "history.is_kept"));
    by("keep").focus();
  } catch (problem) {
    failed(problem, () => keep(revision));
  }
}

function failed(problem, again) {
  by("history-notice").hidden = !problem;
  if (!problem) return;
  const text = problem.status === 404 ? t("editor.missing") : problem.status === undefined ? problem.message : t("editor.failed", { reason: problemText(problem) });
  by("history-notice").replaceChildren(el("span", {}, text), ...(again ? [el("button", { type: "button", class: "button", on: { click: again } }, t("ask.try_again"))] : []));
}

open();
