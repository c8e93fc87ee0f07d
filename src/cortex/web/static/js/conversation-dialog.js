// A conversation's name, and its end: one dialog, in which deleting is asked twice.

import { call } from "./api.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { watchComposition } from "./ime.js";

const LONGEST = 200;

// Gives "renamed", "deleted" or null once the dialog is closed.
export function changeConversation(id, title) {
  return new Promise((settle) => {
    let outcome = null;
    let sure = false;
    const field = el("input", { class: "field", id: "conversation-title", maxlength: LONGEST, required: true, autocomplete: "off", "aria-describedby": "conversation-error" });
    field.value = title;
    const error = el("p", { class: "field-error", id: "conversation-error", role: "alert" });
    const remove = button("recent.delete", "danger", () => {
      if (sure) return run("deleted", () => call(`/api/conversations/${id}`, { method: "DELETE" }));
      sure = true;
      remove.textContent = t("recent.delete_sure");
      error.textContent = t("recent.delete_warning");
    });
    const run = async (name, act) => {
      try {
        await act();
        outcome = name;
        dialog.close();
      } catch (problem) {
        error.textContent = t("answer.failed", { reason: problem.message });
      }
    };
    const form = el("form", { class: "dialog-form", on: { submit: (event) => {
      event.preventDefault();
      run("renamed", () => call(`/api/conversations/${id}`, { method: "PATCH", body: { title: field.value } }));
    } } },
    el("h2", { id: "conversation-heading" }, t("recent.change")),
    el("label", { class: "dialog-label", for: field.id }, t("recent.name")), field, error,
    el("div", { class: "dialog-buttons" }, remove, el("span", { class: "apart" }, button("recent.cancel", "", () => dialog.close()),
      el("button", { class: "button primary" }, t("recent.save")))));
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "conversation-heading" }, form);
    const composing = watchComposition(field);
    field.addEventListener("keydown", (event) => event.key === "Enter" && composing(event) && event.preventDefault());
    dialog.addEventListener("close", () => {
      dialog.remove();
      settle(outcome);
    });
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  });
}

function button(name, kind, act) {
  return el("button", { type: "button", class: `button ${kind}`, on: { click: act } }, t(name));
}
