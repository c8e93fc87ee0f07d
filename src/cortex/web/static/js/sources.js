// Entry of the sources page: the list; runs that are started here or were under way when the page came; folders that are added.

import { call } from "./api.js";
import { by, el } from "./dom.js";
import { folderForm } from "./folder-form.js";
import { t } from "./i18n.js";
import { indexProgress } from "./index-progress.js";
import { ProgressLine } from "./progress-line.js";
import "./shell.js";
import { reportView, said } from "./source-report.js";
import { sourceRow } from "./source-row.js";
import { sure } from "./sure.js";
import { cancelSync, syncSource } from "./sync-source.js";

const list = by("desk-list");
const followed = new Map();
const checked = new Map();
const kept = new Set();
let sources = [];
const lookAtIndex = indexProgress(by("under"));
const canSync = (source) => source.syncable;

async function show() {
  try {
    ({ sources } = await call("/api/sources"));
    // Notes written here come with a later version: until there is one, their source is no news.
    sources = sources.filter((source) => source.type !== "notes" || source.documents > 0);
  } catch (problem) {
    list.replaceChildren();
    list.removeAttribute("aria-busy");
    return say(problem.unreachable ? t("answer.not_running") : t("desk.failed", { reason: problem.message }), show);
  }
  draw();
  by("under").hidden = sources.length === 0;
  for (const source of sources) if (source.syncing && !followed.has(source.name)) follow(source.name, { attach: true });
}

function draw() {
  const nameOf = (element) => element?.closest?.(".desk-row")?.dataset.name;
  const focused = nameOf(document.activeElement);
  const opened = [...list.querySelectorAll("details[open]")].map((details) => [nameOf(details), details.className]);
  list.removeAttribute("aria-busy");
  list.replaceChildren(...sources.map((source) => sourceRow({ ...source, syncing: source.syncing || followed.has(source.name) }, acts, { kept: kept.has(source.name) })));
  if (sources.length === 0) list.append(el("li", { class: "muted" }, t("desk.none")));
  for (const [name, line] of followed) place(name, line.root);
  for (const [name, report] of checked) if (!followed.has(name)) place(name, reportView(report, { dry: true }));
  for (const [name, kind] of opened) for (const details of row(name)?.querySelectorAll(`details.${kind}`) ?? []) details.open = true;
  for (const id of ["sync-all", "check-all"]) by(id).hidden = sources.filter(canSync).length === 0;
  if (focused) row(focused)?.querySelector("button")?.focus();
}

const row = (name) => list.querySelector(`[data-name="${CSS.escape(name)}"]`);
const place = (name, element) => row(name)?.querySelector(".desk-progress").replaceChildren(element);

const acts = {
  sync: (source) => follow(source.name),
  cancel: (source) => cancelSync(source.name).catch((problem) => say(said(problem.message))),
  keep: (source) => {
    kept.add(source.name);
    draw();
  },
  letGo: (source) => follow(source.name, { allow_deletes: true }),
  remove: async (source) => {
    const kind = source.type === "sample" ? "desk.sure_sample" : "desk.sure";
    if (!(await sure(t(kind, { source: source.name, n: source.documents }), t("desk.remove")))) return row(source.name)?.querySelector(".desk-buttons > :last-child")?.focus();
    await call(`/api/sources/${encodeURIComponent(source.name)}`, { method: "DELETE" }).catch((problem) => say(said(problem.message)));
    show();
  },
};

async function follow(name, options = {}) {
  const line = new ProgressLine();
  followed.set(name, line);
  checked.delete(name);
  kept.delete(name);
  line.show({ done: 0, total: 0 });
  draw();
  try {
    const report = await syncSource(name, { ...options, onProgress: (progress) => line.show(progress) });
    if (report?.dry_run) checked.set(name, report);
  } catch (problem) {
    say(t("source.sync_failed", { source: name, reason: said(problem.message) }));
  }
  followed.delete(name);
  await show();
  lookAtIndex();
}

function say(text, retry) {
  const line = by("desk-notice");
  line.replaceChildren(...[text, retry && el("button", { type: "button", class: "button", on: { click: () => {
    line.hidden = true;
    retry();
  } } }, t("ask.try_again"))].filter(Boolean));
  line.className = "notice danger";
  line.hidden = false;
}

// One after the other: two at once would only share the same disk and the same worker.
for (const [id, options] of [["sync-all", {}], ["check-all", { dry_run: true }]]) {
  by(id).addEventListener("click", async () => {
    by(id).disabled = true;
    for (const source of sources.filter(canSync)) await follow(source.name, options);
    by(id).disabled = false;
  });
}

function addFolder(open) {
  by("add").hidden = !open;
  by("add-open").setAttribute("aria-expanded", String(open));
  if (!open) return by("add").replaceChildren();
  by("add").replaceChildren(folderForm({ onAdded: added }));
  by("add").querySelector("input").focus();
}

// The form has done its work; what it began goes on in the list.
async function added(name) {
  addFolder(false);
  await show();
  follow(name, { attach: true });
  row(name)?.querySelector("button")?.focus();
}

by("add-open").addEventListener("click", () => addFolder(by("add").hidden));

show();
