// Write, both side by side, or read; remembered on this device. Side by side, the two scroll together.

import { by } from "./dom.js";
import { langOf } from "./i18n.js";

const KEY = "cortex.editor-mode";
const wide = matchMedia("(min-width: 1280px)");

export class EditorMode {
  #editor = by("editor");
  #body;
  #preview = null;
  #painting = 0;
  #before = "write";

  constructor(body) {
    this.#body = body;
    by("editor-modes").addEventListener("click", (event) => {
      const button = event.target.closest("[data-mode]");
      if (button) this.#set(button.dataset.mode, true);
    });
    by("read-toggle").addEventListener("click", () => this.toggleRead(false));
    body.addEventListener("scroll", () => this.#scroll());
    // A tool leaves the caret in the text: without it a phone's keyboard would go, and the tool move away from under the finger.
    for (const down of ["pointerdown", "mousedown"]) {
      document.querySelector(".editor-bar").addEventListener(down, (event) => event.target.closest("button, summary") && event.preventDefault());
    }
    wide.addEventListener("change", () => this.#set(kept()));
    this.#set(kept());
  }

  // The text has changed: once a frame, and not at all for who only writes.
  show() {
    cancelAnimationFrame(this.#painting);
    if (this.#editor.dataset.mode !== "write") this.#painting = requestAnimationFrame(() => this.#paint());
  }

  // Whoever begins a note wants to write, however the last one was looked at.
  write() {
    if (this.#editor.dataset.mode === "read") this.#set("write");
  }

  // By key the focus goes along, so that the next key is not lost.
  toggleRead(withFocus = true) {
    const reads = this.#editor.dataset.mode === "read";
    if (!reads) this.#before = this.#editor.dataset.mode;
    this.#set(reads ? this.#before : "read");
    if (withFocus) (reads ? this.#body : by("preview")).focus();
  }

  #set(mode, remember = false) {
    const shown = mode === "split" && !wide.matches ? "write" : mode;
    this.#editor.dataset.mode = shown;
    for (const button of by("editor-modes").querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", String(button.dataset.mode === shown));
    by("read-toggle").setAttribute("aria-pressed", String(shown === "read"));
    if (remember) keep(shown);
    this.show();
  }

  async #paint() {
    const { Preview } = await import("./preview.js");
    this.#preview ??= new Preview(by("preview"));
    this.#preview.show(this.#body.value, langOf(this.#body.value));
  }

  #scroll() {
    if (this.#editor.dataset.mode !== "split") return;
    const preview = by("preview");
    const share = this.#body.scrollTop / Math.max(1, this.#body.scrollHeight - this.#body.clientHeight);
    preview.scrollTop = share * (preview.scrollHeight - preview.clientHeight);
  }
}

function kept() {
  try {
    return localStorage.getItem(KEY) ?? (wide.matches ? "split" : "write");
  } catch {
    return "write";
  }
}

function keep(mode) {
  try {
    localStorage.setItem(KEY, mode);
  } catch {
    // A browser that keeps nothing opens the next note as it opened this one.
  }
}
