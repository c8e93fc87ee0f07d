// What a note has to say for itself, above its text: not indexed, in the trash, open in another tab, kept twice.

import { el, icon } from "./dom.js";
import { has, t } from "./i18n.js";
import { originText } from "./origin.js";

export class EditorNotices {
  #root;
  #shown = new Map();

  constructor(root) {
    this.#root = root;
  }

  // One notice of a name at a time; `text` null takes it away. `actions` are [[string key, act]].
  say(name, text, actions = [], kind = "warn") {
    const old = this.#shown.get(name);
    if (text && old?.dataset.text === text) return;
    if (!text) {
      old?.remove();
      this.#shown.delete(name);
      return;
    }
    const notice = el("p", { class: `notice ${kind}`, "data-text": text }, kind === "warn" && icon("warn"), el("span", {}, text), actions.map(([label, act]) =>
      (typeof act === "string" ? el("a", { class: "button", href: act }, t(label)) : el("button", { type: "button", class: "button", on: { click: act } }, t(label)))));
    this.#shown.set(name, notice);
    if (old) old.replaceWith(notice);
    else this.#root.append(notice);
  }

  ofNote(note) {
    this.say("origin", originText(note) && t("editor.origin", { origin: originText(note) }), [], "");
  }

  ofIndex(index, retry) {
    const failed = index?.state === "failed";
    const reason = failed && (has(`reason.${index.reason}`) ? t(`reason.${index.reason}`) : index.reason);
    this.say("index", failed && t("editor.not_indexed", { reason: reason || t("editor.no_reason") }), [["ask.try_again", retry]]);
  }
}
