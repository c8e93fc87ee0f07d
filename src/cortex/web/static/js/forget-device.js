// Everything that this browser keeps for Cortex goes; what waits to be sent only when a person says so.

import { removeDatabase } from "./database.js";
import { switchCopy, waitingHint } from "./device-hints.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { sendNow } from "./send-changes.js";
import { removeWorker } from "./service-worker.js";
import { allUnsaved } from "./unsaved.js";

const OURS = "cortex.";

// Gives whether it is gone. Nothing is kept from then on, until the copy is switched on again.
export async function forgetDevice() {
  if (!(await mayGo())) return false;
  await removeWorker();
  await removeDatabase().catch(() => {});
  for (const store of [localStorage, sessionStorage]) for (const key of Object.keys(store)) if (key.startsWith(OURS)) store.removeItem(key);
  switchCopy(false);
  return true;
}

// The copy goes, and the settings stay.
export async function dropCopy() {
  if (!(await mayGo())) return false;
  await removeWorker();
  await removeDatabase().catch(() => {});
  switchCopy(false);
  return true;
}

// Edits that are nowhere else: they are sent, thrown away, or the whole is left alone.
async function mayGo() {
  const n = waitingHint() + allUnsaved().length;
  if (n === 0) return true;
  const choice = await chosen(n);
  if (choice === "send") {
    await sendNow();
    return waitingHint() + allUnsaved().length === 0 || mayGo();
  }
  return choice === "forget";
}

function chosen(n) {
  return new Promise((settle) => {
    const button = (name, kind, value) => el("button", { class: `button ${kind}`, value }, t(name));
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "forget-heading" }, el("form", { class: "dialog-form", method: "dialog" },
      el("h2", { id: "forget-heading" }, t("device.forget_waits", { n })),
      el("div", { class: "dialog-buttons" }, button("device.forget_anyway", "danger", "forget"),
        el("span", { class: "apart" }, button("recent.cancel", "", ""), button("device.send_now", "primary", "send")))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      settle(dialog.returnValue);
    });
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector(".primary").focus();
  });
}
