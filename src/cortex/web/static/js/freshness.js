// Sources with newer files than their last sync, with a button; and the sample, with a way to be rid of it.

import { call } from "./api.js";
import { agoText } from "./dates.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { syncSource } from "./sync-source.js";

export async function freshnessLines(root) {
  let sources;
  try {
    ({ sources } = await call("/api/sources"));
  } catch {
    return root.replaceChildren();
  }
  const alone = sources.every((source) => source.type === "sample" || source.documents === 0);
  root.replaceChildren(...sources.map((source) => line(source, alone, () => freshnessLines(root))).filter(Boolean));
}

function line(source, alone, again) {
  if (source.type === "sample") return alone && source.documents > 0 ? sample(source, again) : null;
  if (!source.syncable) return null;
  if (source.synced_at && !source.newer) return null;
  const text = source.synced_at
    ? t("source.newer", { source: source.name, ago: agoText(source.synced_at), n: source.newer })
    : t("source.never", { source: source.name });
  const button = act("source.sync", async (row) => {
    row.replaceChildren(t("source.syncing", { source: source.name }));
    await syncSource(source.name);
    again();
  }, (row, reason) => row.replaceChildren(t("source.sync_failed", { source: source.name, reason })));
  return el("p", {}, text, " ", button);
}

function sample(source, again) {
  return el("p", {}, t("source.sample"), " ", el("a", { href: "/welcome" }, t("source.add_own")), " ", act("source.remove_sample", async () => {
    await call(`/api/sources/${encodeURIComponent(source.name)}`, { method: "DELETE" });
    again();
  }, (row, reason) => row.append(" ", reason)));
}

function act(name, run, failed) {
  const button = el("button", { type: "button", class: "link", on: { click: async () => {
    const row = button.parentElement;
    button.disabled = true;
    try {
      await run(row);
    } catch (problem) {
      failed(row, problem.message);
    }
  } } }, t(name));
  return button;
}
