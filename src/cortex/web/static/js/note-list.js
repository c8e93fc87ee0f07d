// The list of notes: searched as one types, narrowed by kind, topic and tag, paged; it keeps its place while notes are opened from it.

import { by, el } from "./dom.js";
import { excerpt } from "./excerpt.js";
import { wordsOf } from "./found-words.js";
import { t } from "./i18n.js";
import { watchComposition } from "./ime.js";
import { tell, tellTrashed, tellUnsaved } from "./list-notices.js";
import { announce } from "./live-status.js";
import { inSight, keepPlace, keptPlace } from "./list-place.js";
import { NoteFilters } from "./note-filters.js";
import { noteRow } from "./note-row.js";
import * as store from "./note-store.js";
import { problemText } from "./problem-text.js";

const PAGE = 50;
const MOST = 100;
const TYPING_MS = 180;

export class NoteList {
  #box = by("notes-q");
  #rows = by("notes-list");
  #filters = new NoteFilters(() => this.#changed());
  #asking = new AbortController();
  #next = null;
  #total = 0;
  #shown = new Map();
  #timer = 0;

  constructor() {
    const composing = watchComposition(this.#box);
    this.#box.value = new URLSearchParams(location.search).get("q") ?? "";
    const typed = () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#changed(), TYPING_MS);
    };
    this.#box.addEventListener("input", (event) => !composing(event) && typed());
    this.#box.addEventListener("compositionend", typed);
    by("notes-form").addEventListener("submit", (event) => event.preventDefault());
    this.#box.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" || composing(event)) return;
      event.preventDefault();
      this.#rows.querySelector("a")?.focus();
    });
    this.#rows.addEventListener("keydown", (event) => this.#walk(event));
    this.#rows.addEventListener("click", () => this.#keepPlace());
  }

  // Again from the beginning, or as far as it had been read when a note was opened from it.
  async load() {
    const place = keptPlace();
    tellTrashed(() => this.#show(PAGE));
    await this.#show(place?.query === this.#query() ? Math.min(MOST, Math.max(PAGE, place.shown)) : PAGE);
    if (place?.query === this.#query()) this.#scroller.scrollTop = place.top;
    const current = this.#rows.querySelector("[aria-current]");
    if (current && !inSight(current)) current.scrollIntoView({ block: "center" });
  }

  // A note was saved: it is the newest change, and stands first, if what is asked for still holds of it.
  saved(note) {
    if (!this.#rows.childElementCount && this.#rows.hasAttribute("aria-busy")) return;
    const old = this.#rows.querySelector(`[data-id="${note.id}"]`);
    if (!old && this.#query()) return;
    const seen = old && inSight(old);
    old?.remove();
    this.#rows.querySelector(".notes-empty")?.remove();
    this.#rows.prepend(this.#row({ ...note, excerpt: excerpt(note.body) }));
    // Who looked at it goes along with it.
    if (seen) this.#rows.firstElementChild.scrollIntoView({ block: "nearest" });
  }

  indexed({ id, index }) {
    const shown = this.#shown.get(id);
    if (shown && shown.index?.state !== index?.state) this.#rows.querySelector(`[data-id="${id}"]`)?.replaceWith(this.#row({ ...shown, index }));
  }

  async #changed() {
    const query = this.#query();
    const links = location.pathname === "/notes/new" ? "/notes" : location.pathname;
    if (location.pathname !== "/notes/new") history.replaceState(history.state, "", links + query);
    await this.#show(PAGE);
    announce(t("notes.count", { n: this.#total }));
  }

  async #show(limit, after = null) {
    this.#asking.abort();
    this.#asking = new AbortController();
    this.#rows.setAttribute("aria-busy", "true");
    try {
      const found = await store.list({ q: this.#box.value.trim(), ...this.#filters.chosen, limit, after }, this.#asking.signal);
      this.#fill(found, after);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      tell(t("notes.failed", { reason: problemText(problem) }), [["ask.try_again", () => this.load()]]);
    }
    this.#rows.removeAttribute("aria-busy");
  }

  #fill({ notes, total, next }, after) {
    this.#total = total;
    this.#next = next;
    // Where there is nothing to choose, nothing asks to choose.
    by("no-note").toggleAttribute("data-none", total === 0 && !this.#query());
    const rows = notes.map((note) => this.#row(note));
    if (after) this.#rows.append(...rows);
    else this.#rows.replaceChildren(...(rows.length ? rows : [this.#empty()]));
    by("notes-count").textContent = total ? t("notes.count", { n: total }) : "";
    by("notes-more").replaceChildren(...(next ? [el("button", { type: "button", class: "button", on: { click: () => this.#show(PAGE, this.#next) } }, t("find.more"))] : []));
    tellUnsaved();
  }

  #row(note) {
    this.#shown.set(note.id, note);
    return noteRow(note, { query: this.#query(), current: location.pathname === `/notes/${note.id}`, words: wordsOf(this.#box.value) });
  }

  #empty() {
    const narrowed = this.#query() !== "";
    const way = narrowed ? el("a", { class: "button", href: "/notes" }, t("notes.clear")) : null;
    return el("li", { class: "notes-empty" }, el("p", {}, t(narrowed ? "notes.nothing" : "notes.none")), narrowed ? way : el("p", { class: "muted" }, t("notes.none_lead")));
  }

  #query() {
    const asked = new URLSearchParams(Object.entries({ q: this.#box.value.trim(), ...this.#filters.chosen }).filter(([, value]) => value));
    return asked.size ? `?${asked}` : "";
  }

  get #scroller() {
    return matchMedia("(min-width: 1024px)").matches ? this.#rows.parentElement : document.scrollingElement;
  }

  #walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const links = [...this.#rows.querySelectorAll("a")];
    (links[links.indexOf(document.activeElement) + step] ?? (step < 0 ? this.#box : links.at(-1))).focus();
  }

  #keepPlace() {
    keepPlace({ query: this.#query(), shown: this.#rows.childElementCount, top: this.#scroller.scrollTop });
  }
}
