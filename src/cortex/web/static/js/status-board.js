// The state of this Cortex: what is indexed and how far, what waits, and whether its parts run.

import { agoText, leftText } from "./dates.js";
import { el } from "./dom.js";
import { has, t } from "./i18n.js";
import { pauseButton, progressText } from "./index-progress.js";
import { watchStatus } from "./status-feed.js";

export function statusBoard(root) {
  const again = watchStatus((status, share) => {
    const focused = root.contains(document.activeElement);
    root.replaceChildren(...(status ? board(status, share, () => again()) : [el("p", { class: "notice danger", role: "alert" }, t("answer.not_running"))]));
    if (focused) root.querySelector("button")?.focus();
  });
}

function board(status, share, again) {
  return [
    el("p", { class: status.failed || !status.worker.alive ? "notice warn" : "notice ok" }, headline(status, share)),
    el("h2", {}, t("board.index")),
    el("p", {}, progressText(status, share)),
    el("ul", { class: "board-spaces" }, status.spaces.map(space)),
    share < 1 && el("p", { class: "pills" }, pauseButton(status, again, "button"), status.paused && el("span", { class: "muted" }, t("board.paused"))),
    el("h2", {}, t("board.work")),
    el("dl", { class: "facts" },
      fact("board.worker", status.worker.alive ? t("board.runs") : t("board.stands")),
      fact("board.waiting", t("board.count", { n: status.queue.pending + status.queue.running })),
      status.queue.oldest_s > 60 && fact("board.oldest", agoText(new Date(Date.now() - status.queue.oldest_s * 1000).toISOString())),
      status.failed + status.queue.failed > 0 && fact("board.failed", t("board.count", { n: status.failed + status.queue.failed })),
      fact("board.notes", t("desk.notes", { n: status.documents })),
      fact("board.passages", t("board.count", { n: status.passages })),
      fact("board.backup", status.backup.at ? agoText(status.backup.at) : t("board.no_backup")),
      fact("board.version", status.version)),
  ].filter(Boolean);
}

function headline(status, share) {
  if (!status.worker.alive) return t("status.worker");
  if (status.failed) return t("status.failed", { n: status.failed });
  return t(share < 1 ? "board.busy" : "board.well");
}

function space({ name, model, filled, total, eta_s: left }) {
  const named = has(`why.${name}`) ? t(`why.${name}`) : name;
  const said = t("board.filled", { k: filled, n: total }) + (left ? ` · ${t("desk.left", { t: leftText(left) })}` : "");
  return el("li", {}, el("span", { class: "board-name" }, named), el("span", { class: "muted" }, model),
    el("progress", { max: total || 1, value: total ? filled : 1, "aria-label": `${named}: ${said}` }), el("span", { class: "muted" }, said));
}

function fact(name, value) {
  return el("div", {}, el("dt", {}, t(name)), el("dd", {}, value));
}
