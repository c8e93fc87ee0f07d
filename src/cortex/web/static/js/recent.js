// The last conversations, in the rail (on a phone in a panel): open one, change it, see more of them.

import { call } from "./api.js";
import { by, el, icon } from "./dom.js";
import { langOf, t } from "./i18n.js";

const PAGE = 20;
const list = by("recent-list");
const more = el("li", {}, el("button", { type: "button", class: "button quiet", on: { click: () => show(last) } }, t("recent.more")));
let last;

// Shows them anew; called again when a conversation began, got a name, or went.
export function showRecent() {
  last = undefined;
  return show();
}

async function show(before) {
  let conversations;
  try {
    ({ conversations } = await call(`/api/conversations?${new URLSearchParams({ limit: PAGE, ...(before ? { before } : {}) })}`));
  } catch (problem) {
    by("recent").hidden = false;
    return list.replaceChildren(el("li", { class: "muted" }, t(problem.unreachable ? "recent.unreachable" : "recent.failed")));
  }
  if (!before) list.replaceChildren();
  more.remove();
  list.append(...conversations.map(row));
  last = conversations.at(-1)?.conversation_id ?? last;
  if (conversations.length === PAGE) list.append(more);
  if (!list.firstChild) list.append(el("li", { class: "muted" }, t("recent.none")));
  by("recent").hidden = false;
}

function row({ conversation_id: id, title }) {
  const here = location.pathname === `/c/${id}`;
  const change = el("button", { type: "button", class: "recent-change", "aria-label": `${t("recent.change")}: ${title}`,
    on: { click: () => changed(id, title) } }, icon("dots"));
  return el("li", { class: "recent-row" }, el("a", { href: `/c/${id}`, lang: langOf(title), title, "aria-current": here ? "page" : undefined }, title), change);
}

async function changed(id, title) {
  const { changeConversation } = await import("./conversation-dialog.js");
  const outcome = await changeConversation(id, title);
  if (outcome === "deleted" && location.pathname === `/c/${id}`) return location.assign("/");
  if (outcome) await showRecent();
  (list.querySelector(`a[href="/c/${id}"]`) ?? by("recent").querySelector("a")).focus();
}
