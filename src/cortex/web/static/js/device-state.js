// What a person should know of this device, in the rail: that Cortex cannot be reached, what waits here, that a new version is there.

import { isUp } from "./connection.js";
import { copyIsOn, waitingHint } from "./device-hints.js";
import { by, el, icon } from "./dom.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";
import { hear } from "./news.js";

// A save is on its way for a moment: that is not worth a line.
const MOMENT_MS = 2500;

let root;
let timer = 0;
let reload = null;
let longer = false;
let without = null;

export function showState() {
  root = el("div", { id: "device-state", class: "device-state", hidden: true });
  document.querySelector(".side").append(root);
  hear("connection", ({ up }) => {
    if (!up) announce(awayText());
    draw();
  });
  hear("waiting", () => {
    clearTimeout(timer);
    longer = longer && waitingHint() > 0;
    timer = setTimeout(() => {
      longer = waitingHint() > 0;
      draw();
    }, MOMENT_MS);
    draw();
  });
  addEventListener("cortex.storage", ({ detail: reason }) => {
    without = t(reason === "quota" ? "offline.no_room" : "offline.no_copy");
    announce(without);
    draw();
  });
  longer = waitingHint() > 0;
  draw();
}

// A version that waits: nothing changes before a person says so.
export function offerVersion(act) {
  reload = act;
  announce(t("offline.new_version"));
  draw();
}

function draw() {
  const waiting = waitingHint();
  const lines = [
    !isUp() && el("p", { class: "device-away" }, icon("offline"), el("span", {}, awayText())),
    waiting > 0 && (longer || !isUp()) && el("p", {}, el("a", { href: "/settings/device" }, t("offline.waiting", { n: waiting }))),
    waiting > 0 && (longer || !isUp()) && mayBeCleared() && el("p", { class: "device-warn" }, t("offline.safari")),
    without && el("p", { class: "device-warn" }, without),
    reload && el("p", { class: "device-new" }, el("span", {}, t("offline.new_version")), el("button", { type: "button", class: "button", on: { click: reload } }, t("offline.reload"))),
  ].filter(Boolean);
  root.hidden = lines.length === 0;
  root.replaceChildren(...lines);
}

const awayText = () => t(copyIsOn() ? "offline.away" : "answer.not_running");

// Safari clears what a site keeps after seven days without a visit, unless it is on the Home Screen.
function mayBeCleared() {
  const installed = navigator.standalone || matchMedia("(display-mode: standalone)").matches;
  return !installed && navigator.vendor.startsWith("Apple");
}
