// Entry of the sources page: the list, and syncs that are started here or were running when the page came.

import { call } from "./api.js";
import { by, el } from "./dom.js";
import { t } from "./i18n.js";
import { indexProgress } from "./index-progress.js";
import { toBoxByKey } from "./keys.js";
import { showProgress, sourceRow } from "./source-row.js";
import { cancelSync, syncSource } from "./sync-source.js";

const list = by("desk-list");
const all = by("sync-all");
const followed = new Set();
let sources = [];

async function show() {
  try {
    ({ sources } = await call("/api/sources"));
    // Notes written here come with a later version: until there is one, their source is no news.
    sources = sources.filter((source) => source.type !== "notes" || source.documents > 0);
  } catch (problem) {
    list.replaceChildren();
    list.removeAttribute("aria-busy");
    return say(problem.unreachable ? t("answer.not_running") : t("desk.failed", { reason: problem.message }));
  }
  list.removeAttribute("aria-busy");
  list.replaceChildren(...sources.map((source) => sourceRow(source, acts)));
  if (sources.length === 0) list.append(el("li", { class: "muted" }, t("desk.none")));
  all.hidden = sources.filter(canSync).length < 2;
  for (const source of sources) if (source.syncing && !followed.has(source.name)) follow(source.name, true);
}

const acts = {
  sync: (source) => follow(source.name, false),
  cancel: (source) => cancelSync(source.name).catch((problem) => say(problem.message)),
  remove: async (source) => {
    try {
      await call(`/api/sources/${encodeURIComponent(source.name)}`, { method: "DELETE" });
    } catch (problem) {
      say(problem.message);
    }
    show();
  },
};

function canSync(source) {
  return source.type === "local" && source.listed;
}

async function follow(name, attach) {
  followed.add(name);
  const row = () => list.querySelector(`[data-name="${CSS.escape(name)}"]`);
  showProgress(row(), { done: 0, total: 0 });
  try {
    const run = syncSource(name, { attach, onProgress: (progress) => showProgress(row(), progress) });
    if (!attach) setTimeout(show, 0);
    await run;
  } catch (problem) {
    say(t("source.sync_failed", { source: name, reason: problem.message }));
  }
  followed.delete(name);
  show();
}

function say(text) {
  const line = by("desk-notice");
  line.textContent = text;
  line.className = "notice danger";
  line.hidden = false;
}

// One after the other: two at once would only share the same disk and the same worker.
all.addEventListener("click", async () => {
  all.disabled = true;
  for (const source of sources.filter(canSync)) await follow(source.name, false);
  all.disabled = false;
});

toBoxByKey();
indexProgress(by("under"));
show();
