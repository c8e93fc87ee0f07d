// The panel that offers scopes with their counts: time, kind, topic, tag, source.

import { call } from "./api.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { formatTerm } from "./scope.js";
import { timeGroup } from "./time-picker.js";

const TYPING_MS = 150;

export class ScopePicker {
  #root;
  #opener;
  #onPick;
  #chosen;
  #groups = el("div", { class: "picker-groups" });
  #asked = 0;

  // `onPick(term)` takes a choice; `chosen()` gives the terms that hold now.
  constructor(root, opener, onPick, chosen) {
    this.#root = root;
    this.#chosen = chosen;
    this.#opener = opener;
    this.#onPick = onPick;
    opener.addEventListener("click", () => (root.hidden ? this.open() : this.close()));
    root.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("pointerdown", (event) => {
      if (!root.hidden && !root.contains(event.target) && !opener.contains(event.target)) this.close(false);
    });
  }

  get isOpen() {
    return !this.#root.hidden;
  }

  open() {
    let timer;
    const find = el("input", { type: "search", class: "field", placeholder: t("scope.find"), "aria-label": t("scope.find"),
      autocomplete: "off", on: { input: () => {
        clearTimeout(timer);
        timer = setTimeout(() => this.#load(find.value.trim()), TYPING_MS);
      } } });
    this.#root.replaceChildren(find, this.#groups);
    this.#root.hidden = false;
    this.#opener.setAttribute("aria-expanded", "true");
    // On a touch screen the field would bring up the keyboard over what there is to choose.
    if (matchMedia("(pointer: coarse)").matches) this.#root.focus();
    else find.focus();
    this.#load("");
  }

  close(giveFocus = true) {
    this.#root.hidden = true;
    this.#opener.setAttribute("aria-expanded", "false");
    if (giveFocus) this.#opener.focus();
  }

  async #load(query) {
    const asked = ++this.#asked;
    try {
      const offer = await call(`/api/scopes?q=${encodeURIComponent(query)}`);
      if (asked === this.#asked) this.#show(offer, query);
    } catch {
      this.#groups.replaceChildren(el("p", { class: "muted" }, t("scope.failed")));
    }
  }

  #show(offer, query) {
    const counts = offer.counts ?? {};
    const named = (kind, names) => names.map((name) => ({ kind, name, count: counts[`${kind}:${name}`] }));
    const kinds = [{ kind: "", name: "", label: t("scope.all"), count: counts[""] }];
    if (offer.weekly) kinds.push({ kind: "weekly", name: "", label: t("scope.weekly"), count: counts.weekly ?? offer.weekly });
    const groups = [
      query ? null : this.#group("kind", kinds),
      query ? null : timeGroup(offer.periods, counts, (term) => this.#pick(term)),
      this.#group("topic", named("topic", offer.topics)),
      this.#group("tag", named("tag", offer.tags)),
      this.#group("source", named("source", offer.sources)),
    ].filter(Boolean);
    this.#groups.replaceChildren(...(groups.length ? groups : [el("p", { class: "muted" }, t("scope.nothing"))]));
  }

  #group(kind, terms) {
    if (terms.length === 0) return null;
    const id = `picker-${kind}`;
    const chosen = this.#chosen().map(formatTerm);
    const holds = (term) => (formatTerm(term) ? chosen.includes(formatTerm(term)) : chosen.length === 0);
    const options = terms.map((term) => el("button", { type: "button", class: holds(term) ? "pill chosen" : "pill", "aria-pressed": String(holds(term)), on: { click: () => this.#pick(term) } },
      el("span", { class: "pill-label" }, term.label ?? (kind === "tag" ? `#${term.name}` : term.name)),
      term.count !== undefined && el("span", { class: "muted" }, ` ${term.count}`)));
    return el("div", { class: "picker-group", role: "group", "aria-labelledby": id },
      el("h3", { id }, t(`scope.${kind}`)), el("div", { class: "pills" }, options));
  }

  #pick(term) {
    this.close();
    this.#onPick(formatTerm(term) ? { kind: term.kind, name: term.name } : null);
  }

  #key(event) {
    if (event.key === "Enter" && event.target.matches("input")) {
      // Not a question: on to what was found.
      event.preventDefault();
      this.#groups.querySelector(".pill")?.focus();
    }
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.close();
  }
}
