// Entry of the welcome page: the language, then the notes: the sample, a folder, or later.

import { call } from "./api.js";
import { by, el } from "./dom.js";
import { folderForm } from "./folder-form.js";
import { t } from "./i18n.js";
import { announce } from "./live-status.js";
import { ProgressLine } from "./progress-line.js";
import "./shell.js";
import { said } from "./source-report.js";
import { syncSource } from "./sync-source.js";

const choices = document.querySelectorAll("input[name=notes]");

for (const choice of choices) choice.addEventListener("change", () => open(choice.value));

function open(value) {
  for (const part of document.querySelectorAll(".choice-part")) part.hidden = part.dataset.for !== value;
}

by("welcome-folder").append(folderForm({ onAdded: read }));

async function read(name) {
  const line = new ProgressLine();
  by("welcome-folder").replaceChildren(line.root);
  try {
    const report = await syncSource(name, { attach: true, onProgress: (progress) => line.show(progress) });
    const n = report.added + report.changed + report.unchanged;
    announce(t("welcome.done", { n }));
    const unread = report.skipped.length + report.failed.length;
    by("welcome-folder").replaceChildren(el("p", { class: "notice ok" }, t("welcome.done", { n })),
      unread ? el("p", { class: "muted" }, t("welcome.unread", { k: unread, n: report.found }), " ", el("a", { href: "/sources" }, t("welcome.see_why"))) : "",
      el("p", {}, el("a", { class: "button primary", href: "/" }, t("welcome.ask"))));
    by("welcome-folder").querySelector(".primary").focus();
  } catch (problem) {
    by("welcome-folder").replaceChildren(el("p", { class: "notice danger", role: "alert" }, t("source.sync_failed", { source: name, reason: said(problem.message) })),
      el("p", {}, el("a", { class: "button", href: "/sources" }, t("nav.sources"))));
  }
}

// The sample is offered where it is there; else a folder comes first.
call("/api/sources").then(({ sources }) => {
  const sample = sources.find((source) => source.type === "sample" && source.listed);
  by("welcome-sample").hidden = !sample;
  if (sample) by("welcome-sample-count").textContent = t("desk.notes", { n: sample.documents });
}).catch(() => {});
open([...choices].find((choice) => choice.checked)?.value);
