// The list below the caret that completes links and tags. Arrows and Enter, or the pointer; never while an input method composes.

import { caretPlace } from "./caret-place.js";
import { triggerAt } from "./completion-trigger.js";
import { el } from "./dom.js";
import { langOf, t } from "./i18n.js";
import { announce } from "./live-status.js";
import { type } from "./typing.js";

const TYPING_MS = 120;
const EDGE = 8;

// `offers(trigger)` gives [{label, lang, note, text}] for what is typed; `chosen(trigger, offer)` hears of a choice.
export class Completion {
  #field;
  #composing;
  #offers;
  #chosen;
  #list = el("ul", { id: "completions", class: "completions", role: "listbox", hidden: true });
  #trigger = null;
  #options = [];
  #active = 0;
  #asked = 0;
  #timer = 0;

  constructor(field, { offers, composing, chosen = () => {} }) {
    this.#field = field;
    this.#composing = composing;
    this.#offers = offers;
    this.#chosen = chosen;
    field.after(this.#list);
    field.addEventListener("input", (event) => !composing(event) && this.#soon());
    field.addEventListener("compositionstart", () => this.close());
    field.addEventListener("compositionend", () => this.#soon());
    field.addEventListener("blur", () => this.close());
    field.addEventListener("scroll", () => this.close());
    addEventListener("resize", () => this.isOpen && this.#place());
    document.addEventListener("selectionchange", () => this.isOpen && this.#moved());
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => this.#choose(this.#options[[...this.#list.children].indexOf(event.target.closest("[role=option]"))]));
  }

  get isOpen() {
    return !this.#list.hidden;
  }

  // Says whether the key was for the list.
  key(event) {
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.#show((this.#active + step + this.#options.length) % this.#options.length);
    else if (event.key === "Enter") this.#choose(this.#options[this.#active]);
    else if (event.key === "Escape") this.close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  close() {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#list.hidden = true;
    for (const name of ["role", "aria-expanded", "aria-controls", "aria-activedescendant", "aria-autocomplete"]) this.#field.removeAttribute(name);
  }

  #soon() {
    clearTimeout(this.#timer);
    if (!triggerAt(this.#field.value, this.#field.selectionStart)) return this.isOpen && this.close();
    this.#timer = setTimeout(() => this.#look(), TYPING_MS);
  }

  #moved() {
    const now = triggerAt(this.#field.value, this.#field.selectionStart);
    if (now?.from !== this.#trigger?.from) this.close();
  }

  async #look() {
    const trigger = triggerAt(this.#field.value, this.#field.selectionStart);
    const mine = ++this.#asked;
    const offered = trigger ? await this.#offers(trigger).catch(() => []) : [];
    if (mine !== this.#asked || this.#composing({}) || document.activeElement !== this.#field) return;
    if (offered.length === 0) return this.close();
    this.#trigger = trigger;
    this.#options = offered;
    this.#list.replaceChildren(...offered.map((offer, n) => el("li", { id: `completion-${n}`, role: "option" },
      el("span", { class: "completion-label", lang: offer.lang ?? langOf(offer.label) }, offer.label), offer.note && el("span", { class: "muted" }, offer.note))));
    this.#list.setAttribute("aria-label", t(trigger.kind === "note" ? "complete.notes" : "complete.tags"));
    this.#list.hidden = false;
    this.#place();
    for (const [name, value] of Object.entries({ role: "combobox", "aria-expanded": "true", "aria-controls": this.#list.id, "aria-autocomplete": "list" })) {
      this.#field.setAttribute(name, value);
    }
    this.#show(0);
    announce(t("complete.found", { n: offered.length }));
  }

  #show(active) {
    this.#active = active;
    [...this.#list.children].forEach((option, n) => option.setAttribute("aria-selected", String(n === active)));
    this.#list.children[active].scrollIntoView({ block: "nearest" });
    this.#field.setAttribute("aria-activedescendant", `completion-${active}`);
  }

  #place() {
    const caret = caretPlace(this.#field, this.#trigger.from);
    const style = this.#list.style;
    const below = caret.bottom + EDGE / 2;
    const fits = below + this.#list.offsetHeight < (window.visualViewport?.height ?? innerHeight) - EDGE;
    style.top = `${fits ? below : Math.max(EDGE, caret.top - this.#list.offsetHeight - EDGE / 2)}px`;
    style.left = `${Math.max(EDGE, Math.min(caret.left, document.documentElement.clientWidth - this.#list.offsetWidth - EDGE))}px`;
  }

  #choose(offer) {
    if (!offer) return;
    // More may have been typed since the list was made.
    const trigger = triggerAt(this.#field.value, this.#field.selectionStart) ?? this.#trigger;
    this.close();
    type(this.#field, { from: trigger.from, to: trigger.to, text: offer.text });
    this.#chosen(trigger, offer);
  }
}
