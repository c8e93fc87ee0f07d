// What waits in this browser to be sent, a row each: what it is, since when, and why Cortex refused it, if it did.

import { Problem } from "./api.js";
import { el } from "./dom.js";
import { langOf, t } from "./i18n.js";
import { timeText } from "./moments.js";
import { recordOf, shown } from "./offline-store.js";
import { waiting } from "./outbox.js";
import { problemText } from "./problem-text.js";
import { discard } from "./settle.js";
import { sure } from "./sure.js";

const KINDS = { save: "device.change_save", trash: "device.change_trash", restore: "device.change_restore", delete: "device.change_delete", attach: "device.change_attach" };

// Rows, or null where nothing waits. `again` shows them anew.
export async function waitingRows(again) {
  const found = await waiting();
  return found.length ? Promise.all(found.map((change) => row(change, again))) : null;
}

async function row(change, again) {
  const note = shown(await recordOf(change.key));
  const title = note?.title ?? change.fields?.title ?? change.key;
  const throwAway = async () => {
    if (!(await sure(t("device.sure_discard", { title }), t("device.discard")))) return;
    await discard(change.n);
    await again();
  };
  return el("li", {}, el("span", { class: "waiting-title", lang: langOf(title) }, note?.id ? el("a", { href: `/notes/${note.id}` }, title) : el("a", { href: `/notes/new?key=${change.key}` }, title)),
    el("span", { class: "muted" }, t(KINDS[change.op], { name: change.name ?? "" })), el("time", { class: "muted", datetime: change.at }, timeText(change.at)),
    change.problem && el("p", { class: "field-error" }, t("device.refused", { reason: problemText(new Problem(change.problem.status ?? 422, change.problem)) }), " ",
      el("button", { type: "button", class: "link", on: { click: throwAway } }, t("device.discard"))));
}
