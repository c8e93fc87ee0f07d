// What a run did to a source: counts, what it left out and why, what is undated, and what may be gone.

import { el } from "./dom.js";
import { has, keys, t } from "./i18n.js";

const COUNTS = [["desk.added", "added"], ["desk.changed", "changed"], ["desk.deleted", "deleted"], ["desk.unchanged", "unchanged"]];

export function reportView(report, { dry = false } = {}) {
  const what = COUNTS.filter(([, count]) => report[count]).map(([name, count]) => t(name, { n: report[count] })).join("\u00a0· ") || t("desk.same");
  return el("div", { class: "desk-report" },
    el("p", { class: "muted" }, dry ? t("desk.would", { what }) : what),
    report.problem && !report.missing && el("p", { class: "notice danger" }, said(report.problem)),
    !report.complete && !report.problem && el("p", { class: "notice warn" }, t("desk.incomplete")),
    itemList("desk.failures", report.failed, report.failed_total), itemList("desk.skipped", report.skipped, report.skipped_total),
    report.without_date > 0 && el("details", { class: "undated" }, el("summary", {}, t("desk.undated", { n: report.without_date })), el("p", { class: "muted" }, t("desk.undated_how"))));
}

// Reasons come from the server in English; those that are known are told in the page's language, with what stands in their slots.
export function said(reason) {
  if (has(`reason.${reason}`)) return t(`reason.${reason}`);
  for (const key of keys.filter((name) => name.startsWith("reason.") && name.includes("{"))) {
    const pattern = key.slice("reason.".length).replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>.+)");
    const found = new RegExp(`^${pattern}$`).exec(reason);
    if (found) return t(key, found.groups);
  }
  return reason;
}

// The server lists the first ones and says how many there are.
function itemList(name, items, total = items?.length) {
  if (!items?.length) return null;
  return el("details", { class: name.replace("desk.", "") }, el("summary", {}, t(name, { n: total })),
    el("ul", {}, items.map(({ item, reason }) => el("li", {}, t("desk.item", { item, reason: said(reason) }))),
      total > items.length && el("li", {}, t("desk.more_items", { n: total - items.length }))));
}
