// One question before something goes: gives true for yes.

import { el } from "./dom.js";
import { t } from "./i18n.js";

export function sure(question, yes) {
  return new Promise((settle) => {
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "sure-heading" }, el("form", { class: "dialog-form", method: "dialog" },
      el("h2", { id: "sure-heading" }, question),
      el("div", { class: "dialog-buttons" }, el("span", { class: "apart" }, el("button", { class: "button", value: "" }, t("recent.cancel")),
        el("button", { class: "button danger", value: "yes" }, yes)))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      settle(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
