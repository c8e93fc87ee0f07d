// The scope of the next question: chips in the box, the picker, and the address, kept in step.

import { by } from "./dom.js";
import { t } from "./i18n.js";
import { scopeChip } from "./scope-chips.js";
import { formatScope, parseScope, withoutTerm, withTerm } from "./scope.js";

export class ScopeChoice {
  #terms = parseScope(new URLSearchParams(location.search).get("scope") ?? "");
  #opener = by("scope-open");
  #onChange;
  #picker = null;

  // `onChange()` is told after a choice; without it the address is kept in step.
  constructor({ onChange } = {}) {
    this.#onChange = onChange ?? (() => history.replaceState(history.state, "", this.address(location.pathname)));
    this.#opener.addEventListener("click", () => this.#openPicker(), { once: true });
    this.#draw();
  }

  get scope() {
    return formatScope(this.#terms);
  }

  // A conversation that is opened again looks where it looked last.
  adopt(scope) {
    if (!this.scope && scope) this.#set(parseScope(scope));
  }

  // The address of a page with this scope, so that a reload or a bookmark keeps it.
  address(path) {
    return this.scope ? `${path}?${new URLSearchParams({ scope: this.scope })}` : path;
  }

  // Says whether it was open.
  closePicker() {
    const open = this.#picker?.isOpen ?? false;
    if (open) this.#picker.close();
    return open;
  }

  // The panel comes when it is opened first.
  async #openPicker() {
    const { ScopePicker } = await import("./scope-picker.js");
    this.#picker = new ScopePicker(by("picker"), this.#opener, (term) => this.#set(term ? withTerm(this.#terms, term) : []), () => this.#terms);
    this.#picker.open();
  }

  #set(terms) {
    this.#terms = terms;
    this.#draw();
    this.#onChange();
  }

  #draw() {
    const chips = this.#terms.map((term) => scopeChip(term, { onRemove: () => {
      this.#set(withoutTerm(this.#terms, term));
      this.#opener.focus();
    } }));
    for (const old of by("scope").querySelectorAll(".pill.chosen")) old.remove();
    this.#opener.before(...chips);
    this.#opener.querySelector(".pill-label").textContent = t(chips.length ? "scope.choose_short" : "scope.all");
    this.#opener.setAttribute("aria-label", t("scope.choose"));
  }
}
