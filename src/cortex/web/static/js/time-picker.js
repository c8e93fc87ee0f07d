// The part of the scope panel for time: quarters of weekly notes, or any two days.

import { quarterText } from "./dates.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";

// `pick(term)` takes what was chosen.
export function timeGroup(periods, counts, pick) {
  return el("div", { class: "picker-group", role: "group", "aria-labelledby": "picker-time" },
    el("h3", { id: "picker-time" }, t("scope.time")), periods.length > 0 && quarters(periods, counts, pick), days(pick));
}

function quarters(periods, counts, pick) {
  const sorted = [...periods].sort((a, b) => a - b);
  const choose = (name) => labelled(name, el("select", { class: "field" }, sorted.map((period) => el("option", { value: period, selected: period === sorted.at(-1) },
    `${quarterText(period)} (${counts[`weekly:${period}-${period}`] ?? 0})`))));
  const from = choose("scope.from");
  const to = choose("scope.to");
  return row(from, to, "scope.apply", () => {
    const [first, last] = [from, to].map((label) => Number(label.lastChild.value)).sort((a, b) => a - b);
    pick({ kind: "weekly", name: `${first}-${last}` });
  });
}

function days(pick) {
  const day = (name) => labelled(name, el("input", { type: "date", class: "field" }));
  const from = day("scope.from_day");
  const to = day("scope.to_day");
  return row(from, to, "scope.apply_days", () => {
    const said = [from, to].map((label) => label.lastChild.value).filter(Boolean).sort();
    // One day alone is that day.
    if (said.length) pick({ kind: "date", name: `${said[0]}..${said.at(-1)}` });
    else from.lastChild.focus();
  });
}

function labelled(name, control) {
  return el("label", { class: "picker-quarter" }, t(name), control);
}

function row(from, to, name, act) {
  return el("div", { class: "picker-quarters" }, from, to, el("button", { type: "button", class: "button", on: { click: act } }, t(name)));
}
