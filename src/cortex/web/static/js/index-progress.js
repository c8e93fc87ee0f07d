// How far the index is, in a line: what is searchable now, about how long answers still get better, and a way to pause that.

import { leftText } from "./dates.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";
import { pauseIndexing, progressOf, watchStatus } from "./status-feed.js";

const MILESTONES = [0.25, 0.5, 0.75, 1];

// Gives a function that looks at once.
export function indexProgress(root) {
  let told = null;
  const again = watchStatus((status, share) => {
    const focused = root.contains(document.activeElement);
    root.replaceChildren(...(status ? lines(status, share, () => again()) : []));
    if (focused) root.querySelector("button")?.focus();
    told = tell(share, told);
  });
  return again;
}

export function progressText(status, share) {
  const [key, values] = progressOf(status, share);
  return t(key, "left" in values ? { ...values, t: leftText(values.left) } : values);
}

export function pauseButton(status, again, kind = "link") {
  // Not disabled meanwhile: that would take the focus away.
  return el("button", { type: "button", class: kind, on: { click: async () => {
    await pauseIndexing(!status.paused).catch(() => {});
    again();
  } } }, t(status.paused ? "status.go_on" : "status.pause"));
}

function lines(status, share, again) {
  if (status.documents === 0) return [el("p", {}, t("status.none"), " ", el("a", { class: "button primary", href: "/welcome" }, t("status.begin")))];
  const percent = Math.floor(share * 100);
  return [
    el("p", {}, progressText(status, share), share < 1 &&
      el("progress", { max: "100", value: percent, "aria-label": t("status.progress", { n: percent }) }), share < 1 && pauseButton(status, again)),
    !status.worker.alive && el("p", { class: "notice warn" }, t("status.worker")),
    status.failed > 0 && el("p", { class: "notice warn" }, t("status.failed", { n: status.failed })),
  ].filter(Boolean);
}

// Announced at a quarter, a half, three quarters and the end; not when it was already there.
function tell(share, told) {
  const reached = MILESTONES.filter((milestone) => share >= milestone).length;
  if (told !== null && reached > told) announce(t("status.progress", { n: MILESTONES[reached - 1] * 100 }));
  return reached;
}
