// Where each source stood in each search, and how long the steps took.

import { call } from "./api.js";
import { el } from "./dom.js";
import { has, lang, langOf, t } from "./i18n.js";

const LIMIT = 10;
const score = new Intl.NumberFormat(lang, { maximumFractionDigits: 2 });

export async function fillWhy(body, question, scope) {
  try {
    const query = new URLSearchParams({ q: question, scope, limit: LIMIT });
    const found = await call(`/api/search?${query}`);
    body.replaceChildren(el("p", { class: "muted" }, t("why.note")), table(found.results), timings(found.timings_ms ?? {}));
  } catch (error) {
    body.replaceChildren(el("p", { class: "muted" }, t("why.failed", { reason: error.message })));
  }
}

function table(results) {
  const legs = [...new Set(results.flatMap((result) => Object.keys(result.legs ?? {})))];
  const head = [t("why.source"), t("why.score"), ...legs.map(named)];
  return el("div", { class: "table-box", tabindex: "0", role: "group", "aria-label": t("why.heading") }, el("table", {},
    el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, results.map((result) => el("tr", {},
      el("th", { scope: "row", lang: langOf(result.title, result.lang) }, el("a", { href: `/d/${result.document_id}` }, result.title)),
      el("td", {}, score.format(result.score)),
      legs.map((leg) => el("td", {}, place(result.legs?.[leg]))))))));
}

function place(leg) {
  return leg ? [String(leg.rank), " ", el("span", { class: "muted" }, score.format(leg.score))] : "–";
}

function named(step) {
  return has(`why.${step}`) ? t(`why.${step}`) : step;
}

function timings(steps) {
  const parts = Object.entries(steps).map(([name, ms]) => t("why.step", { name: named(name), n: Math.round(ms) }));
  return parts.length ? el("p", { class: "muted" }, parts.join(" · ")) : "";
}
