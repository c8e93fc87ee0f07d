// What a run did to a source: counts, what it left out and why, what is undated, and what may be gone.

import { el } from "./dom.js";
import { has, t } from "./i18n.js";

export function reportView(report, { dry = false } = {}) {
  return el("div", { class: "desk-report" },
    el("p", { class: "muted" }, t(dry ? "desk.would" : "desk.report", report)),
    report.problem && !report.missing && el("p", { class: "notice danger" }, said(report.problem)),
    !report.complete && !report.problem && el("p", { class: "notice warn" }, t("desk.incomplete")),
    itemList("desk.failures", report.failed, report.failed_total), itemList("desk.skipped", report.skipped, report.skipped_total),
    report.without_date > 0 && el("details", {}, el("summary", {}, t("desk.undated", { n: report.without_date })), el("p", { class: "muted" }, t("desk.undated_how"))));
}

// Reasons come from the server in English; those that are known are told in the page's language.
export function said(reason) {
  return has(`reason.${reason}`) ? t(`reason.${reason}`) : reason;
}

// The server lists the first ones and says how many there are.
function itemList(name, items, total = items?.length) {
  if (!items?.length) return null;
  return el("details", {}, el("summary", {}, t(name, { n: total })),
    el("ul", {}, items.map(({ item, reason }) => el("li", {}, t("desk.item", { item, reason: said(reason) }))),
      total > items.length && el("li", {}, t("desk.more_items", { n: total - items.length }))));
}
