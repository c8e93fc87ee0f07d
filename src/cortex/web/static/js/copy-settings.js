// The copy of the notes in this browser: on or off, how much it holds, what waits in it, and whether the browser may clear it.

import { isUp } from "./connection.js";
import { copyIsOn, switchCopy } from "./device-hints.js";
import { by, el } from "./dom.js";
import { dropCopy } from "./forget-device.js";
import { lang, t } from "./i18n.js";
import { announce } from "./live-status.js";
import { hear } from "./news.js";
import { facts, position } from "./offline-store.js";
import { sendNow } from "./send-changes.js";
import { waitingRows } from "./waiting-rows.js";

const LOOK_MS = 2000;

// Gives a function that shows it anew.
export function copySettings() {
  const on = by("copy-on");
  let looks = 0;
  const show = async () => {
    const look = ++looks;
    on.checked = copyIsOn();
    const found = copyIsOn() ? await parts(show) : [el("p", { class: "muted" }, t("device.copy_off"))];
    // A later look has seen more.
    if (look !== looks) return;
    const held = by("copy").contains(document.activeElement) && document.activeElement.dataset.act;
    by("copy").replaceChildren(...found);
    if (held) (by("copy").querySelector(`[data-act="${held}"]`) ?? on).focus();
  };
  on.addEventListener("change", async () => {
    if (on.checked) {
      switchCopy(true);
      return location.reload();
    }
    await dropCopy();
    return show();
  });
  for (const news of ["waiting", "settled", "changed", "connection"]) hear(news, () => show());
  show();
  whileGrowing(show);
  return show;
}

// A first copy takes a while.
async function whileGrowing(show) {
  const whole = async () => !copyIsOn() || (await position().catch(() => ({ whole: true }))).whole;
  while (!(await whole())) {
    await new Promise((settle) => setTimeout(settle, LOOK_MS));
    await show();
  }
}

async function parts(show) {
  try {
    const [held, rows, kept] = [await facts(), await waitingRows(show), await navigator.storage?.persisted?.()];
    return [
      el("p", {}, heldText(held)),
      kept !== undefined && persistence(kept, show),
      el("h3", {}, t("device.waits")),
      rows ? el("ul", { class: "waiting-rows" }, rows) : el("p", { class: "muted" }, t("device.nothing_waits")),
      rows && el("p", { class: "pills" }, act("device.send_now", "send", () => send(show)), !isUp() && el("span", { class: "muted" }, t("device.away"))),
    ].filter(Boolean);
  } catch (problem) {
    if (!problem.reason) throw problem;
    return [el("p", { class: "notice warn" }, t(problem.reason === "newer" ? "device.copy_newer" : "device.copy_unreadable"))];
  }
}

function heldText({ notes: n, bytes, whole, full }) {
  return t(full && !whole ? "device.copy_partial" : whole ? "device.copy_holds" : "device.copy_growing", { n, size: sizeText(bytes) });
}

function persistence(kept, show) {
  const said = el("span", { class: "muted" }, t(kept ? "device.persisted" : "device.not_persisted"));
  return el("p", { class: "pills" }, said, !kept && act("device.persist", "persist", async () => {
    if (await navigator.storage.persist()) return show();
    said.textContent = t("device.persist_refused");
    return announce(said.textContent);
  }));
}

async function send(show) {
  await sendNow();
  await show();
  announce(by("copy").querySelector(".waiting-rows") ? t("device.still_waits") : t("device.nothing_waits"));
}

const act = (name, key, run) => el("button", { type: "button", class: "button", "data-act": key, on: { click: run } }, t(name));

function sizeText(bytes) {
  const [unit, size] = bytes < 1e6 ? ["kilobyte", 1e3] : ["megabyte", 1e6];
  return new Intl.NumberFormat(lang, { style: "unit", unit, maximumFractionDigits: 1 }).format(bytes / size);
}
