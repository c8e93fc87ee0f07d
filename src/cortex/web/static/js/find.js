// Entry of the Find page: notes that hold or mean the words, without an answer.

import { call } from "./api.js";
import { by, el } from "./dom.js";
import { findResult } from "./find-result.js";
import { t } from "./i18n.js";
import { ScopeChoice } from "./scope-choice.js";
import "./shell.js";
import { rememberWayBack } from "./way-back.js";

const STEP = 20;
const MOST = 100;
const query = (new URLSearchParams(location.search).get("q") ?? "").trim();
const box = by("find-q");
const list = by("find-results");
const state = by("find-state");
const choice = new ScopeChoice({ onChange: () => {
  keepScope();
  by("find-form").requestSubmit();
} });

function keepScope() {
  const field = by("find-scope");
  field.value = choice.scope;
  field.disabled = !choice.scope;
}

async function show(limit) {
  list.setAttribute("aria-busy", "true");
  state.textContent = t("ask.searching");
  try {
    const found = await call(`/api/search?${new URLSearchParams({ q: query, scope: choice.scope, limit })}`);
    list.append(...found.results.slice(list.children.length).map((result) => findResult(result, query)));
    state.textContent = t(found.results.length ? "find.found" : choice.scope ? "find.nothing_here" : "find.nothing", { n: found.results.length });
    foot(found.results.length, limit);
  } catch (problem) {
    state.textContent = problem.unreachable ? t("answer.not_running") : t("find.failed", { reason: problem.message });
    foot(0, limit, problem.unreachable);
  }
  list.removeAttribute("aria-busy");
}

function foot(n, limit, again = false) {
  const act = (name, run) => el("button", { type: "button", class: "button", on: { click: run } }, t(name));
  const asked = new URLSearchParams({ q: query, ...(choice.scope ? { scope: choice.scope } : {}) });
  by("find-foot").replaceChildren(...[
    again && act("ask.try_again", () => show(limit)),
    n === 0 && choice.scope && el("a", { class: "button", href: `/find?${new URLSearchParams({ q: query })}` }, t("refusal.search_all")),
    n === limit && limit < MOST && act("find.more", () => show(limit + STEP)),
    el("a", { class: "button", href: `/?${asked}` }, t("find.ask")),
  ].filter(Boolean));
}

box.value = query;
keepScope();
rememberWayBack(location.href);
if (query) {
  // On a touch screen the keyboard would cover what was found.
  if (matchMedia("(pointer: coarse)").matches) box.blur();
  document.title = `${query} · ${t("title.find")} · ${t("app.name")}`;
  show(STEP);
} else {
  state.textContent = t("find.lead");
}
