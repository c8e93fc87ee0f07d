// What a run did to a source: counts, what it left out and why, what is undated, and what may be gone.

import { el } from "./dom.js";
import { has, t } from "./i18n.js";

const SHOWN = 50;

export function reportView(report, { dry = false } = {}) {
  return el("div", { class: "desk-report" },
    el("p", { class: "muted" }, t(dry ? "desk.would" : "desk.report", report)),
    report.problem && !report.missing && el("p", { class: "notice danger" }, said(report.problem)),
    !report.complete && !report.problem && el("p", { class: "notice warn" }, t("desk.incomplete")),
    itemList("desk.failures", report.failed), itemList("desk.skipped", report.skipped),
    report.without_date > 0 && el("details", {}, el("summary", {}, t("desk.undated", { n: report.without_date })), el("p", { class: "muted" }, t("desk.undated_how"))));
}

// Reasons come from the server in English; those that are known are told in the page's language.
export function said(reason) {
  return has(`reason.${reason}`) ? t(`reason.${reason}`) : reason;
}

function itemList(name, items) {
  if (!items?.length) return null;
  const more = items.length - SHOWN;
  return el("details", {}, el("summary", {}, t(name, { n: items.length })),
    el("ul", {}, items.slice(0, SHOWN).map(({ item, reason }) => el("li", {}, t("desk.item", { item, reason: said(reason) }))),
      more > 0 && el("li", {}, t("desk.more_items", { n: more }))));
}
