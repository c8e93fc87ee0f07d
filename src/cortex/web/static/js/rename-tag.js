// One tag by another name, on every note that has it: how two names of one thing become one.

import { el } from "./dom.js";
import { langOf, t } from "./i18n.js";
import { watchComposition } from "./ime.js";
import { renameTag } from "./note-store.js";
import { problemText } from "./problem-text.js";

// `known` are the names that are there. Gives {to, notes}, or null.
export function askForName(from, known) {
  return new Promise((settle) => {
    let outcome = null;
    const field = el("input", { class: "field", id: "new-tag", maxlength: 200, required: true, autocomplete: "off", list: "tags-there", "aria-describedby": "tag-error tag-lead" });
    field.value = from;
    const error = el("p", { class: "field-error", id: "tag-error", role: "alert" });
    const lead = el("p", { class: "muted", id: "tag-lead" });
    const named = () => field.value.replace(/^[#\uff03\s]+/, "").trim();
    const say = () => (lead.textContent = named() !== from && known.includes(named()) ? t("tags.merge", { from, to: named() }) : t("tags.lead"));
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "tag-heading" }, el("form", { class: "dialog-form", on: { submit: async (event) => {
      event.preventDefault();
      if (named() === from) return dialog.close();
      try {
        outcome = { to: named(), notes: await renameTag(from, named()) };
        dialog.close();
      } catch (problem) {
        error.textContent = t("answer.failed", { reason: problemText(problem) });
      }
    } } }, el("h2", { id: "tag-heading" }, t("tags.rename", { name: `#${from}` })), el("label", { class: "dialog-label", for: field.id }, t("tags.name")), field,
    el("datalist", { id: "tags-there" }, known.map((name) => el("option", { value: name, lang: langOf(name) }))), lead, error,
    el("div", { class: "dialog-buttons" }, el("span", { class: "apart" }, el("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, t("recent.cancel")),
      el("button", { class: "button primary" }, t("tags.go"))))));
    const composing = watchComposition(field);
    field.addEventListener("keydown", (event) => event.key === "Enter" && composing(event) && event.preventDefault());
    field.addEventListener("input", say);
    dialog.addEventListener("close", () => {
      dialog.remove();
      settle(outcome);
    });
    document.body.append(dialog);
    say();
    dialog.showModal();
    field.select();
  });
}
