// The chips that say where a question looks: chosen ones solid, guessed ones dashed, each with a way to remove it.

import { call } from "./api.js";
import { el, icon } from "./dom.js";
import { t } from "./i18n.js";
import { labelOf } from "./scope.js";

export function scopeChip(term, { inferred = false, onRemove } = {}) {
  const label = labelOf(term);
  const shown = el("span", { class: "pill-label" }, label);
  // A note is told by its title, not by its number.
  if (term.kind === "note") call(`/api/documents/${term.name}`).then((note) => (term.label = shown.textContent = note.title), () => {});
  return el("span", { class: inferred ? "pill guessed" : "pill chosen" },
    shown,
    inferred && el("span", { class: "pill-why" }, ` · ${t("scope.from_question")}`),
    onRemove && el("button", { class: "pill-remove", type: "button", "aria-label": t("scope.remove", { name: label }),
      on: { click: () => onRemove(term) } }, icon("close")));
}
