// The list narrowed: one kind, one topic, one tag.

import { by, el } from "./dom.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";
import { names } from "./note-store.js";

const FILTERS = ["kind", "topic", "tag"];

export class NoteFilters {
  #fields = Object.fromEntries(FILTERS.map((name) => [name, by(`notes-${name}`)]));

  constructor(changed) {
    const asked = new URLSearchParams(location.search);
    for (const [name, field] of Object.entries(this.#fields)) {
      // What the address asks for stands there before the names are known.
      const value = name === "kind" && location.pathname === "/notes/new" ? "" : asked.get(name) ?? "";
      if (value && ![...field.options].some((option) => option.value === value)) field.append(option(name, value));
      field.value = value;
      field.addEventListener("change", () => {
        this.#mark();
        changed();
      });
    }
    by("rename-tag").addEventListener("click", () => this.#rename(changed));
    this.#mark();
    this.#offer();
  }

  get chosen() {
    return Object.fromEntries(FILTERS.map((name) => [name, this.#fields[name].value]));
  }

  #mark() {
    for (const field of Object.values(this.#fields)) field.classList.toggle("chosen", field.value !== "");
    by("rename-tag").hidden = this.#fields.tag.value === "";
    by("rename-tag").textContent = t("tags.rename", { name: `#${this.#fields.tag.value}` });
  }

  async #rename(changed) {
    const { askForName } = await import("./rename-tag.js");
    const field = this.#fields.tag;
    const renamed = await askForName(field.value, [...field.options].map((one) => one.value).filter(Boolean));
    if (!renamed) return by("rename-tag").focus();
    await this.#offer();
    if (![...field.options].some((one) => one.value === renamed.to)) field.append(option("tag", renamed.to));
    field.value = renamed.to;
    this.#mark();
    await changed();
    announce(t("tags.renamed", { n: renamed.notes }));
    return field.focus();
  }

  async #offer() {
    const { topics, tags } = await names().catch(() => ({ topics: [], tags: [] }));
    for (const [name, known] of [["topic", topics], ["tag", tags]]) {
      const field = this.#fields[name];
      const value = field.value;
      field.replaceChildren(field.options[0], ...[...new Set([...known, value])].filter(Boolean).map((each) => option(name, each)));
      field.value = value;
      field.disabled = field.options.length === 1;
    }
  }
}

const option = (name, value) => el("option", { value }, name === "tag" ? `#${value}` : value);
