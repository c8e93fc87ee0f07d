// One source in the list: what it holds, how old it is, its buttons, and what has to be decided about it.

import { agoText, dateText } from "./dates.js";
import { el, icon } from "./dom.js";
import { t } from "./i18n.js";
import { reportView } from "./source-report.js";

const KEPT_DAYS = 30;

// `acts` are {sync, cancel, remove, keep, letGo}, each called with the source; `kept` says that its loss was looked at.
export function sourceRow(source, acts, { kept = false } = {}) {
  return el("li", { class: "desk-row", "data-name": source.name, "aria-busy": source.syncing ? "true" : undefined },
    el("div", { class: "desk-row-head" },
      el("h2", {}, source.name), source.type !== source.name && el("span", { class: "muted" }, t(`desk.type.${source.type}`)),
      el("span", { class: "desk-buttons" }, buttons(source, acts))),
    el("p", { class: "desk-facts" }, facts(source)),
    !source.listed && unlisted(source),
    source.report?.missing > 0 && source.listed && !kept && missing(source, acts),
    el("div", { class: "desk-progress" }),
    source.report && source.listed ? reportView(source.report) : null);
}

function facts(source) {
  const said = [t("desk.notes", { n: source.documents })];
  if (source.type !== "notes") said.push(source.synced_at ? t("desk.synced", { ago: agoText(source.synced_at) }) : t("desk.never"));
  if (source.newer) said.push(t("desk.newer", { n: source.newer }));
  if (source.type === "sample" && source.open === false) said.push(t("desk.sample_closed"));
  return said.join("\u00a0· ");
}

function unlisted(source) {
  const until = source.unlisted_at && dateText(new Date(new Date(source.unlisted_at).getTime() + KEPT_DAYS * 86400000).toISOString());
  return el("p", { class: "notice warn" }, until ? t("desk.unlisted_until", { date: until }) : t("desk.unlisted"));
}

function missing(source, acts) {
  return el("div", { class: "notice warn", role: "alert" },
    el("span", {}, t("desk.missing", { k: source.report.missing, n: source.documents, source: source.name })),
    button("desk.keep", source, acts.keep), button("desk.remove_missing", source, acts.letGo));
}

function buttons(source, acts) {
  return [
    source.syncing && button("desk.cancel", source, acts.cancel),
    !source.syncing && source.syncable && button("desk.sync", source, acts.sync, "sync"),
    source.removable && button("desk.remove", source, acts.remove),
  ].filter(Boolean);
}

function button(name, source, act, picture) {
  return el("button", { type: "button", class: "button", "aria-label": `${t(name)}: ${source.name}`, on: { click: () => act(source) } },
    picture && icon(picture), t(name));
}
