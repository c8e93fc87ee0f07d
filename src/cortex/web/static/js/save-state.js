// One line that says whether what stands here is saved. It is no live region: only what a person must act on is announced.

import { timeText } from "./moments.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";
import { problemText } from "./problem-text.js";

export class SaveState {
  #line;
  #again;

  constructor(line, again) {
    this.#line = line;
    this.#again = again;
  }

  show(state, { note, problem } = {}) {
    const text = this.#text(state, note, problem);
    if (this.#line.dataset.state !== state && ["waiting", "refused", "conflict"].includes(state)) announce(text);
    this.#line.dataset.state = state;
    const again = ["waiting", "refused"].includes(state) && el("button", { type: "button", class: "link", on: { click: this.#again } }, t("ask.try_again"));
    this.#line.replaceChildren(...[el("span", {}, text), again].filter(Boolean));
  }

  #text(state, note, problem) {
    switch (state) {
      case "saving":
        return t("editor.saving");
      case "saved":
        return t("editor.saved", { time: timeText(note.updated_at) });
      case "unsaved":
        return t("editor.edited");
      case "waiting":
        return t(problem?.unreachable ? "editor.unreachable" : "editor.waiting");
      case "refused":
        return t("editor.refused", { reason: problemText(problem) });
      case "conflict":
        return t("conflict.heading");
      default:
        return note?.id ? t("editor.saved", { time: timeText(note.updated_at) }) : "";
    }
  }
}
