// The sources of a turn, standing there before the first word; a click turns them into the passage.

import { passageUrl } from "./cite-chip.js";
import { el } from "./dom.js";
import { excerpt, withoutTitle } from "./excerpt.js";
import { langOf, t } from "./i18n.js";
import { PassagePanel } from "./passage-panel.js";
import { alsoIn, sourceFacts } from "./source-facts.js";

export class Evidence {
  sources = [];
  root = el("section", { class: "evidence", "aria-label": t("answer.sources") });
  #list = el("ol", { class: "source-list" });
  #panel;
  #from = null;

  constructor() {
    this.#panel = new PassagePanel({ onClose: () => this.close(), onStep: (step) => this.#step(step) });
    this.root.append(this.#panel.root);
  }

  show(sources) {
    this.sources = sources;
    this.#list.replaceChildren(...sources.map((source) => this.#card(source)));
    const dated = sources.filter((source) => source.date || source.period).length > 1;
    this.root.prepend(el("div", { class: "evidence-head" }, el("h3", {}, t("sources.heading", { n: sources.length })), dated && this.#order()), this.#list);
  }

  // By rank or by time; the numbers stay what the answer calls them.
  #order() {
    let byDate = false;
    const button = el("button", { type: "button", class: "link", on: { click: () => {
      byDate = !byDate;
      button.textContent = t(byDate ? "sources.by_rank" : "sources.by_date");
      const when = (source) => source.date ?? (source.period ? `${Math.floor(source.period / 10)}-${(source.period % 10) * 3}` : "");
      const order = byDate ? [...this.sources].sort((one, other) => when(other).localeCompare(when(one)) || one.n - other.n) : this.sources;
      this.#list.append(...order.map((source) => this.#list.querySelector(`[data-n="${source.n}"]`).parentElement));
    } } }, t("sources.by_date"));
    return button;
  }

  // What was quoted is lit up in the cards; a note that was only read has a plain number.
  settle() {
    for (const source of this.sources) {
      const quote = this.citationOf(source.n)?.quote;
      const card = this.#list.querySelector(`[data-n="${source.n}"]`);
      card.classList.toggle("unused", !quote);
      if (quote) card.querySelector(".source-excerpt").replaceChildren(el("mark", { lang: langOf(quote, source.lang) }, excerpt(quote)));
    }
  }

  hide() {
    this.root.remove();
  }

  source(n) {
    return this.sources.find((source) => source.n === n);
  }

  // Opens the passage of source n beside the answer, at the quote if one is given; closing gives the focus back to `from`.
  open(n, citation, from) {
    const source = this.source(n);
    if (!source) return;
    this.#from = from ?? this.#from;
    this.#panel.show(source, citation, { k: this.sources.indexOf(source) + 1, n: this.sources.length });
    this.root.classList.add("reading");
    this.#mark(n);
  }

  close() {
    if (!this.root.classList.contains("reading")) return false;
    this.root.classList.remove("reading");
    this.#panel.hide();
    this.#mark(0);
    this.#from?.focus({ preventScroll: true });
    this.#from = null;
    return true;
  }

  #step(step) {
    const at = this.sources.findIndex((source) => source.n === this.#panel.n) + step;
    const next = this.sources[(at + this.sources.length) % this.sources.length];
    this.open(next.n, this.citationOf?.(next.n));
  }

  #mark(n) {
    for (const card of this.#list.querySelectorAll(".source")) card.classList.toggle("current", Number(card.dataset.n) === n);
  }

  #card(source) {
    const { start, end, text } = source.passage;
    const words = excerpt(withoutTitle(text, source.title));
    return el("li", {}, el("a", { class: "source", href: passageUrl(source.document_id, start, end), "data-n": source.n },
      el("span", { class: "source-n", "aria-hidden": "true" }, String(source.n)),
      el("span", { class: "source-title", lang: langOf(source.title, source.lang) }, source.title),
      el("span", { class: "source-facts" }, sourceFacts(source)),
      el("span", { class: "source-excerpt", lang: langOf(words, source.lang) }, words),
      alsoIn(source) && el("span", { class: "source-facts" }, alsoIn(source))));
  }
}
