// The box: Enter asks, Shift+Enter is a new line, an Enter of an input method is neither, ArrowUp in an empty box recalls.

import { by } from "./dom.js";
import { keepDraft, keptDraft } from "./draft.js";
import { t } from "./i18n.js";
import { watchComposition } from "./ime.js";

export class Composer {
  #form = by("composer");
  #box = by("question");
  #error = by("composer-error");
  #asked = [];
  #onAsk;
  #onStop;

  #onFind;

  constructor({ onAsk, onStop, onFind }) {
    this.#onAsk = onAsk;
    this.#onStop = onStop;
    this.#onFind = onFind;
    const composing = watchComposition(this.#box);
    this.#box.addEventListener("keydown", (event) => this.#key(event, composing(event)));
    this.#box.addEventListener("input", () => {
      keepDraft(this.#box.value);
      this.#grow();
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    by("stop").addEventListener("click", () => this.#onStop());
    // Without scripts the form asks for the page with the question in its address: here it is again.
    this.#fill(this.#box.value || (new URLSearchParams(location.search).get("q") ?? keptDraft()));
    // How tall the box is decides how tall the last turn must be (see ask.css).
    const asking = this.#form.parentElement;
    new ResizeObserver(() => document.documentElement.style.setProperty("--asking", `${asking.offsetHeight}px`))
      .observe(asking, { box: "border-box" });
  }

  remember(question) {
    this.#asked.push(question);
  }

  // Puts back what could not be sent, unless something new was typed meanwhile.
  restore(question) {
    if (this.#box.value === "") this.#fill(question);
  }

  fail(message) {
    this.#error.textContent = message;
    this.#box.setAttribute("aria-invalid", "true");
  }

  set streaming(on) {
    by("send").hidden = on;
    by("stop").hidden = !on;
  }

  get streaming() {
    return by("send").hidden;
  }

  set placeholder(text) {
    this.#box.placeholder = text;
  }

  #key(event, composing) {
    if (composing) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.#send();
    } else if (event.key === "Enter" && event.altKey) {
      event.preventDefault();
      this.#onFind(this.#box.value.trim());
    } else if (event.key === "ArrowUp" && this.#box.value === "" && this.#asked.length) {
      event.preventDefault();
      this.#fill(this.#asked.at(-1));
    }
  }

  #send() {
    if (this.streaming) return;
    const question = this.#box.value.trim();
    if (question === "") {
      this.#box.focus();
      return this.fail(t("ask.empty"));
    }
    this.fail("");
    this.#box.removeAttribute("aria-invalid");
    this.#fill("");
    this.#onAsk(question);
  }

  // A phone's keyboard would cover the answer; on a desk the next question is typed into the same box.
  rest() {
    if (matchMedia("(pointer: coarse)").matches) this.#box.blur();
    else this.#box.focus({ preventScroll: true });
  }

  #fill(text) {
    this.#box.value = text;
    keepDraft(text);
    this.#grow();
  }

  // As tall as its text, up to the limit in the style sheet. (CSS field-sizing does it alone where it is known.)
  #grow() {
    if (CSS.supports("field-sizing", "content")) return;
    this.#box.style.height = "auto";
    this.#box.style.height = `${this.#box.scrollHeight + 2}px`;
  }
}
