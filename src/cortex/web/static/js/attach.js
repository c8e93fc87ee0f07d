// Files on their way into a note: each goes up with its progress, and its place in the text is held until it is there.

import { el } from "./dom.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";
import { attach } from "./note-store.js";
import { problemText } from "./problem-text.js";
import { type } from "./typing.js";

let count = 0;

// `noteId()` resolves with the note's id, which a new note gets by being saved.
export function attachFiles(files, field, tray, { noteId, composing }) {
  files.forEach((file) => new Attaching(file, field, tray, noteId, composing).begin());
}

class Attaching {
  #file;
  #field;
  #noteId;
  #composing;
  #held;
  #row = el("li", { class: "attaching" });
  #stop = new AbortController();

  constructor(file, field, tray, noteId, composing) {
    this.#file = file;
    this.#field = field;
    this.#noteId = noteId;
    this.#composing = composing;
    this.#held = `${this.#isPicture ? "!" : ""}[${this.#name}](attaching:${++count})`;
    tray.append(this.#row);
  }

  get #isPicture() {
    return /^image\/(?:png|jpeg|gif|webp|avif)$/.test(this.#file.type);
  }

  // As a link can hold it.
  get #name() {
    return this.#file.name.replace(/[[\]\n\r]/g, " ").trim() || t("attach.nameless");
  }

  begin() {
    const { selectionStart: from, selectionEnd: to, value } = this.#field;
    const before = from > 0 && value[from - 1] !== "\n" && this.#isPicture ? "\n\n" : "";
    type(this.#field, { from, to, text: `${before}${this.#held}${this.#isPicture ? "\n" : " "}` });
    return this.#send();
  }

  async #send() {
    const bar = el("progress", { max: 1, value: 0, "aria-label": t("attach.progress", { name: this.#name }) });
    this.#show(bar, this.#button("recent.cancel", () => this.#stop.abort()));
    this.#stop = new AbortController();
    try {
      const told = await attach(await this.#noteId(), this.#file, { progress: (share) => (bar.value = share), signal: this.#stop.signal });
      this.#replace(this.#held.replace(/\(attaching:\d+\)$/, () => `(${addressOf(told.hash, this.#name)})`));
      this.#row.remove();
      announce(t("attach.done", { name: this.#name }));
    } catch (problem) {
      if (problem.name === "AbortError") return this.#giveUp();
      this.#failed(problem);
    }
  }

  #failed(problem) {
    const reason = problem.status === 413 ? t("attach.too_large", { size: sizeText(this.#file.size) }) : problem.unreachable ? t("attach.unreachable") : problemText(problem);
    const text = t("attach.failed", { name: this.#name, reason });
    this.#show(el("span", { class: "field-error", role: "alert" }, text), problem.passing && this.#button("ask.try_again", () => this.#send()), this.#button("attach.remove", () => this.#giveUp()));
  }

  #giveUp() {
    this.#row.remove();
    this.#replace("");
    this.#field.focus();
  }

  #show(...parts) {
    this.#row.replaceChildren(el("span", { class: "attaching-name" }, this.#name), ...parts.filter(Boolean));
  }

  #button(name, act) {
    return el("button", { type: "button", class: "link", on: { click: act } }, t(name));
  }

  // Its place may have moved, or be gone; an input method's words are never disturbed.
  #replace(text) {
    if (this.#composing({})) return this.#field.addEventListener("compositionend", () => setTimeout(() => this.#replace(text)), { once: true });
    const from = this.#field.value.indexOf(this.#held);
    if (from < 0) return;
    const to = from + this.#held.length;
    const moved = (place) => (place <= from ? place : place >= to ? place + text.length - this.#held.length : from + text.length);
    const { selectionStart, selectionEnd } = this.#field;
    type(this.#field, { from, to, text, start: moved(selectionStart), end: moved(selectionEnd) });
  }
}

function addressOf(hash, name) {
  return `/api/attachments/${hash}?name=${encodeURIComponent(name).replace(/[()']/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`;
}

const sizeText = (bytes) => new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: "megabyte", maximumFractionDigits: bytes < 1e6 ? 1 : 0 }).format(bytes / 1e6);
