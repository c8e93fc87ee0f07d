// "Why these sources": a closed disclosure; opening it asks the search again with its reasons.

import { el } from "./dom.js";
import { t } from "./i18n.js";

export function whyView(question, scope) {
  const body = el("div", { class: "why-body" }, el("p", { class: "muted" }, t("why.loading")));
  const details = el("details", { class: "why" }, el("summary", {}, t("why.heading")), body);
  details.addEventListener("toggle", async () => details.open && (await import("./why-table.js")).fillWhy(body, question, scope), { once: true });
  return details;
}
