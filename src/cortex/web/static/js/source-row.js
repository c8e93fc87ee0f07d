// One source in the list: what it holds, how old it is, what its last run left out, and its buttons.

import { agoText } from "./dates.js";
import { el, icon } from "./dom.js";
import { t } from "./i18n.js";

const SHOWN = 50;

// `acts` are {sync, cancel, remove}, each called with the source.
export function sourceRow(source, acts) {
  return el("li", { class: "desk-row", "data-name": source.name },
    el("div", { class: "desk-row-head" },
      el("h2", {}, source.name), source.type !== source.name && el("span", { class: "muted" }, t(`desk.type.${source.type}`)),
      el("span", { class: "desk-buttons" }, buttons(source, acts))),
    el("p", { class: "desk-facts" }, facts(source)),
    el("div", { class: "desk-progress" }),
    source.report ? reportView(source.report) : null);
}

function facts(source) {
  const said = [t("desk.notes", { n: source.documents })];
  if (source.type !== "notes") said.push(source.synced_at ? t("desk.synced", { ago: agoText(source.synced_at) }) : t("desk.never"));
  if (source.newer) said.push(t("desk.newer", { n: source.newer }));
  if (!source.listed) said.push(t("desk.unlisted"));
  return said.join(" · ");
}

function buttons(source, acts) {
  const button = (name, act, picture) => el("button", { type: "button", class: "button", "aria-label": `${t(name)}: ${source.name}`,
    on: { click: () => act(source) } }, picture && icon(picture), t(name));
  return [
    source.syncing && button("desk.cancel", acts.cancel),
    !source.syncing && source.listed && source.type === "local" && button("desk.sync", acts.sync, "sync"),
    source.removable && button("desk.remove", acts.remove),
  ].filter(Boolean);
}

function reportView(report) {
  return el("div", { class: "desk-report" },
    el("p", { class: "muted" }, t("desk.report", report)),
    report.problem && el("p", { class: "notice danger" }, report.problem),
    !report.complete && !report.problem && el("p", { class: "notice warn" }, t("desk.incomplete")),
    itemList("desk.failures", report.failed), itemList("desk.skipped", report.skipped));
}

function itemList(name, items) {
  if (!items?.length) return null;
  const more = items.length - SHOWN;
  return el("details", {}, el("summary", {}, t(name, { n: items.length })),
    el("ul", {}, items.slice(0, SHOWN).map((item) => el("li", {}, t("desk.item", item))), more > 0 && el("li", {}, t("desk.more_items", { n: more }))));
}

export function showProgress(row, { done, total }) {
  const place = row.querySelector(".desk-progress");
  if (!place.firstChild) place.append(el("progress", { max: "1" }), el("span", { class: "muted" }));
  const [bar, label] = place.children;
  if (total > 0) bar.value = done / total;
  label.textContent = total > 0 ? t("desk.reading", { k: done, n: total }) : t("desk.listing", { n: done });
  bar.setAttribute("aria-label", label.textContent);
}
