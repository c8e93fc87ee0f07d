// A folder of notes, added in two steps: checked (counts, nothing is read in), then listed and read.

import { call } from "./api.js";
import { el } from "./dom.js";
import { lang, t } from "./i18n.js";
import { announce } from "./live-status.js";
import { said } from "./source-report.js";
import { startSync } from "./sync-source.js";

const percent = new Intl.NumberFormat(lang, { style: "percent" });
let forms = 0;

// `onAdded(name)` is told when the folder is listed and its first reading has begun.
export function folderForm({ onAdded }) {
  const id = `folder-${(forms += 1)}`;
  const path = field(`${id}-path`, { placeholder: t("folder.example"), "aria-describedby": `${id}-hint ${id}-path-error`, spellcheck: "false" });
  const error = el("p", { class: "field-error", id: `${id}-path-error`, role: "alert" });
  const found = el("div", { class: "folder-found" });
  const check = el("button", { class: "button primary" }, t("folder.check"));
  const form = el("form", { class: "folder-form", novalidate: true, on: { submit: (event) => {
    event.preventDefault();
    busy(check, error, path, async () => {
      found.replaceChildren(el("p", { class: "muted" }, t("folder.looking")));
      const seen = await call("/api/sources/check", { method: "POST", body: { path: path.value } }).catch((problem) => {
        found.replaceChildren();
        throw problem;
      });
      found.replaceChildren(...foundView(seen, id, onAdded));
      announce(t("folder.found", { n: seen.files }));
      found.querySelector("button")?.focus();
    });
  } } },
  el("label", { class: "dialog-label", for: path.id }, t("folder.path")), el("div", { class: "folder-row" }, path, check),
  el("p", { class: "muted", id: `${id}-hint` }, t("folder.hint")), error);
  path.addEventListener("input", () => found.replaceChildren());
  return el("div", {}, form, found);
}

function foundView(seen, id, onAdded) {
  const leftOut = Object.entries(seen.left_out);
  const facts = [t("folder.notes", { n: seen.files }), seen.files > 0 && t("folder.dated", { share: percent.format(seen.dated) }), seen.obsidian && t("folder.obsidian")].filter(Boolean);
  const view = [el("p", { class: "folder-facts" }, facts.join("\u00a0· "))];
  if (leftOut.length) {
    view.push(el("details", {}, el("summary", {}, t("folder.left_out", { n: leftOut.reduce((sum, [, n]) => sum + n, 0) })),
      el("ul", {}, leftOut.map(([reason, n]) => el("li", {}, t("folder.reason", { reason: said(reason), n }))))));
  }
  if (seen.files === 0) return [...view, el("p", { class: "notice warn" }, t("folder.empty"))];
  const name = field(`${id}-name`, { maxlength: 64, "aria-describedby": `${id}-name-error` });
  name.value = seen.name;
  const error = el("p", { class: "field-error", id: `${id}-name-error`, role: "alert" });
  const leave = seen.exclude.map((pattern) => el("label", { class: "check" }, el("input", { type: "checkbox", checked: true, value: pattern }), el("span", {}, t("folder.leave", { pattern }))));
  const read = el("button", { class: "button primary" }, t("folder.read"));
  return [...view, el("form", { class: "folder-form", novalidate: true, on: { submit: (event) => {
    event.preventDefault();
    busy(read, error, name, async () => {
      const exclude = leave.map((label) => label.firstChild).filter((box) => box.checked).map((box) => box.value);
      const added = await call("/api/sources", { method: "POST", body: { path: seen.path, name: name.value, exclude } });
      await startSync(added.name);
      onAdded(added.name);
    });
  } } }, leave, el("label", { class: "dialog-label", for: name.id }, t("folder.name")), el("div", { class: "folder-row" }, name, read), error)];
}

async function busy(button, error, input, act) {
  error.textContent = "";
  input.removeAttribute("aria-invalid");
  button.disabled = true;
  try {
    await act();
  } catch (problem) {
    error.textContent = problem.unreachable ? t("answer.not_running") : said(problem.message);
    input.setAttribute("aria-invalid", "true");
    input.focus();
  }
  button.disabled = false;
}

function field(id, attributes) {
  return el("input", { type: "text", class: "field", id, autocomplete: "off", autocapitalize: "off", required: true, ...attributes });
}
