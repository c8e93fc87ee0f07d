// The card of a chip: on hover after a moment, on focus at once. The pointer may enter it; Escape closes it.

import { el } from "./dom.js";
import { excerpt } from "./excerpt.js";
import { langOf } from "./i18n.js";
import { sourceFacts } from "./source-facts.js";

const HOVER_MS = 250;
const LEAVE_MS = 150;
const GAP = 8;

export class CiteCard {
  #card = el("div", { class: "cite-card", id: "cite-card", role: "tooltip", hidden: true });
  #chip = null;
  #timer = 0;
  #lookup;

  // `lookup(chip)` gives {source, citation}.
  constructor(root, lookup) {
    this.#lookup = lookup;
    document.body.append(this.#card);
    root.addEventListener("pointerover", (event) => this.#over(event));
    root.addEventListener("pointerout", (event) => event.target.closest(".chip") && this.#later(() => this.hide(), LEAVE_MS));
    root.addEventListener("focusin", (event) => {
      const chip = event.target.closest(".chip");
      if (chip?.matches(":focus-visible")) this.#show(chip);
    });
    root.addEventListener("focusout", () => this.hide());
    this.#card.addEventListener("pointerenter", () => clearTimeout(this.#timer));
    this.#card.addEventListener("pointerleave", () => this.#later(() => this.hide(), LEAVE_MS));
    document.addEventListener("scroll", () => this.hide(), { passive: true });
  }

  hide() {
    clearTimeout(this.#timer);
    const shown = !this.#card.hidden;
    this.#card.hidden = true;
    this.#chip?.removeAttribute("aria-describedby");
    this.#chip = null;
    return shown;
  }

  #over(event) {
    const chip = event.target.closest(".chip");
    if (!chip || event.pointerType === "touch") return;
    if (chip === this.#chip) clearTimeout(this.#timer);
    else this.#later(() => this.#show(chip), HOVER_MS);
  }

  #later(act, ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
  }

  #show(chip) {
    const { source, citation } = this.#lookup(chip) ?? {};
    if (!source) return;
    this.hide();
    this.#chip = chip;
    const quote = excerpt(citation?.quote ?? source.passage.text, 280);
    this.#card.replaceChildren(
      el("p", { class: "cite-title", lang: langOf(source.title, source.lang) }, source.title),
      el("p", { class: "muted" }, sourceFacts(source)),
      el("blockquote", { lang: langOf(quote, source.lang) }, quote));
    this.#card.hidden = false;
    chip.setAttribute("aria-describedby", this.#card.id);
    this.#place(chip);
  }

  #place(chip) {
    const at = chip.getBoundingClientRect();
    const { width, height } = this.#card.getBoundingClientRect();
    const left = Math.max(GAP, Math.min(at.left, document.documentElement.clientWidth - width - GAP));
    const below = at.bottom + GAP + height < innerHeight;
    this.#card.style.left = `${left}px`;
    this.#card.style.top = `${below ? at.bottom + GAP : Math.max(GAP, at.top - height - GAP)}px`;
  }
}
