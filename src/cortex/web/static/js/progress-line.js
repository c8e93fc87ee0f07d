// A bar with its words: how far a reading is, and about how long it still takes, from the pace of the last minute.

import { leftText } from "./dates.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";

const WINDOW_MS = 60000;
const SURE_MS = 10000;
const SURE_SHARE = 0.02;
const MILESTONES = [0.25, 0.5, 0.75, 1];

export class ProgressLine {
  #bar = el("progress", { max: "1" });
  #words = el("span", { class: "muted" });
  #seen = [];
  #told = 0;
  root = el("div", { class: "progress-line" }, this.#bar, this.#words);

  // While the folder is listed there is no total, and no bar.
  show({ done, total }, now = performance.now()) {
    this.#bar.hidden = !(total > 0);
    this.#words.textContent = total > 0 ? [t("desk.reading", { k: done, n: total }), this.#left(done, total, now)].filter(Boolean).join(" · ")
      : t("desk.listing", { n: done });
    if (!(total > 0)) return;
    this.#bar.value = done / total;
    this.#bar.setAttribute("aria-label", this.#words.textContent);
    const reached = MILESTONES.filter((milestone) => done / total >= milestone).length;
    if (reached > this.#told) announce(t("status.progress", { n: MILESTONES[reached - 1] * 100 }));
    this.#told = reached;
  }

  #left(done, total, now) {
    this.#seen.push({ done, now });
    while (now - this.#seen[0].now > WINDOW_MS) this.#seen.shift();
    const first = this.#seen[0];
    if (now - first.now < SURE_MS || done / total < SURE_SHARE || done === first.done) return "";
    return t("desk.left", { t: leftText(((total - done) * (now - first.now)) / (done - first.done) / 1000) });
  }
}
