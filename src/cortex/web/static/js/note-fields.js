// Kind, date, topic and tags of a note: one line that says them, and opens to change them.

import { by, el, icon } from "./dom.js";
import { langOf, t } from "./i18n.js";
import { watchComposition } from "./ime.js";
import { factText } from "./note-facts.js";
import { names } from "./note-store.js";

const SEPARATORS = /[,\uff0c\u3001;\uff1b\n]+/;

export class NoteFields {
  #tags = [];
  #changed;
  #shown = by("note-facts-shown");
  #kind = by("note-kind");
  #date = by("note-date");
  #topic = by("note-topic");
  #tag = by("note-tag");

  constructor(changed) {
    this.#changed = changed;
    for (const field of [this.#kind, this.#date]) field.addEventListener("input", () => this.#tell());
    this.#topic.addEventListener("input", () => this.#topical());
    const composing = watchComposition(this.#tag);
    this.#tag.addEventListener("keydown", (event) => !composing(event) && this.#key(event));
    this.#tag.addEventListener("input", (event) => !composing(event) && SEPARATORS.test(this.#tag.value) && this.#take());
    this.#tag.addEventListener("compositionend", () => SEPARATORS.test(this.#tag.value) && this.#take());
    this.#tag.addEventListener("blur", () => this.#take());
    by("note-facts").addEventListener("toggle", () => by("note-facts").open && this.#offer(), { once: true });
  }

  show({ kind, date, topic, tags }) {
    this.#kind.value = kind;
    this.#date.value = date ?? "";
    this.#topic.value = topic ?? "";
    this.#tags = [...tags];
    this.#draw();
  }

  read() {
    return { kind: this.#kind.value, date: this.#date.value || null, topic: this.#topic.value.trim() || null, tags: [...this.#tags] };
  }

  set readOnly(on) {
    for (const field of [this.#kind, this.#date, this.#topic, this.#tag]) field.disabled = on;
    by("note-tags").inert = on;
  }

  add(tag) {
    const clean = tag.replace(/^[#\uff03\s]+/, "").trim();
    if (!clean || this.#tags.includes(clean)) return;
    this.#tags.push(clean);
    this.#tell();
  }

  // What has a topic is a topic note, unless it is a week's.
  #topical() {
    if (this.#kind.value !== "weekly") this.#kind.value = this.#topic.value.trim() ? "topic" : "note";
    this.#tell();
  }

  #take() {
    for (const tag of this.#tag.value.split(SEPARATORS)) this.add(tag);
    this.#tag.value = "";
  }

  #key(event) {
    if (event.key === "Enter" && this.#tag.value.trim()) {
      event.preventDefault();
      this.#take();
    } else if (event.key === "Backspace" && this.#tag.value === "" && this.#tags.length) {
      this.#remove(this.#tags.at(-1));
    }
  }

  #remove(tag) {
    this.#tags = this.#tags.filter((other) => other !== tag);
    this.#tell();
    this.#tag.focus();
  }

  #tell() {
    this.#draw();
    this.#changed();
  }

  #draw() {
    this.#shown.textContent = factText(this.read()) || t("fields.none");
    by("note-tags").replaceChildren(...this.#tags.map((tag) => el("span", { class: "pill chosen" }, el("span", { class: "pill-label", lang: langOf(tag) }, `#${tag}`),
      el("button", { type: "button", class: "pill-remove", "aria-label": t("scope.remove", { name: tag }), on: { click: () => this.#remove(tag) } }, icon("close")))));
  }

  // Names that are used already, so that one thing keeps one name.
  async #offer() {
    const { topics, tags } = await names().catch(() => ({ topics: [], tags: [] }));
    for (const [id, known] of [["known-topics", topics], ["known-tags", tags]]) by(id).replaceChildren(...known.map((name) => el("option", { value: name })));
  }
}
