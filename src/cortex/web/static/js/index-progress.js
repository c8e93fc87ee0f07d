// How far the index is: what is searchable now, and about how long answers still get better.

import { call } from "./api.js";
import { leftText } from "./dates.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";

const BUSY_MS = 2000;
const IDLE_MS = 20000;
const MILESTONES = [0.25, 0.5, 0.75, 1];

// Shows the status in `root` and keeps it true, as long as the page can be seen.
export function indexProgress(root) {
  let told = null;
  let timer = 0;
  const look = async () => {
    clearTimeout(timer);
    let wait = IDLE_MS;
    if (!document.hidden) {
      const status = await call("/api/status").catch(() => null);
      const share = status ? filledShare(status.spaces) : 1;
      if (status && isBusy(status, share)) wait = BUSY_MS;
      root.replaceChildren(...(status ? lines(status, share) : []));
      told = tell(share, told);
    }
    timer = setTimeout(look, wait);
  };
  document.addEventListener("visibilitychange", look);
  look();
}

function filledShare(spaces) {
  const filled = spaces.reduce((sum, space) => sum + space.filled, 0);
  const total = spaces.reduce((sum, space) => sum + space.total, 0);
  return total === 0 ? 1 : filled / total;
}

function isBusy(status, share) {
  return share < 1 || status.waiting > 0 || status.queue.pending + status.queue.running > 0;
}

function lines(status, share) {
  if (status.documents === 0) return [el("p", {}, t("status.none"))];
  const percent = Math.floor(share * 100);
  return [
    el("p", {}, sentence(status, share), share < 1 &&
      el("progress", { max: "100", value: percent, "aria-label": t("status.progress", { n: percent }) })),
    !status.worker.alive && el("p", { class: "notice warn" }, t("status.worker")),
    status.failed > 0 && el("p", { class: "notice warn" }, t("status.failed", { n: status.failed })),
  ].filter(Boolean);
}

function sentence(status, share) {
  const n = status.documents - (status.waiting ?? 0);
  if (status.paused && share < 1) return t("status.paused", { n });
  if (share === 1 || !status.worker.alive) return t("status.searchable", { n });
  const left = status.spaces.reduce((sum, space) => sum + (space.eta_s ?? Number.NaN), 0);
  return Number.isNaN(left) ? t("status.improving", { n }) : t("status.better", { n, t: leftText(left) });
}

// Announced at a quarter, a half, three quarters and the end; not when it was already there.
function tell(share, told) {
  const reached = MILESTONES.filter((milestone) => share >= milestone).length;
  if (told !== null && reached > told) announce(t("status.progress", { n: MILESTONES[reached - 1] * 100 }));
  return reached;
}
