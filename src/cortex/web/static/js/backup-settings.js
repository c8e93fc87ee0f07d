// Backups: how old the last one is, where they go, one at once, and how one is put back.

import { call } from "./api.js";
import { agoText } from "./dates.js";
import { el } from "./dom.js";
import { lang, t } from "./i18n.js";
import { announce } from "./live-status.js";
import { watchStatus } from "./status-feed.js";

export function backupSettings(root) {
  let problem = null;
  let last = null;
  const ask = async () => {
    try {
      await call("/api/backups", { method: "POST" });
      problem = null;
    } catch (error) {
      problem = error.unreachable ? t("answer.not_running") : error.message;
    }
    again();
  };
  const again = watchStatus((status) => {
    const focused = root.contains(document.activeElement);
    root.replaceChildren(...(status ? parts(status, problem, ask) : [el("p", { class: "notice danger", role: "alert" }, t("answer.not_running"))]));
    if (focused) root.querySelector("button")?.focus();
    if (status && last?.running && !status.backup.running) announce(headline(status.backup));
    last = status?.backup ?? last;
  });
}

function parts({ backup, worker }, problem, ask) {
  return [
    el("p", { class: `notice ${backup.overdue ? "danger" : backup.at ? "ok" : ""}` }, headline(backup)),
    backup.error && el("p", { class: "notice warn" }, t("backup.failed", { reason: backup.error })),
    problem && el("p", { class: "notice danger", role: "alert" }, problem),
    !worker.alive && el("p", { class: "notice warn" }, t("backup.worker")),
    el("p", { class: "pills" }, button(backup, ask)),
    el("dl", { class: "facts" },
      backup.at && fact("backup.file", el("code", {}, nameIn(backup.to, backup.file))),
      backup.at && fact("backup.size", sizeText(backup.size)),
      fact("backup.to", el("code", {}, backup.to)),
      fact("backup.daily", t(backup.daily ? "backup.daily_on" : "backup.daily_off"))),
    el("h2", {}, t("backup.holds")),
    el("p", { class: "muted" }, t("backup.holds_lead")),
    el("h2", {}, t("backup.restore")),
    el("p", { class: "muted" }, t("backup.restore_lead")),
    el("pre", { class: "command", tabindex: "0" }, el("code", {}, `cortex restore ${t("backup.a_file")} --data ${t("backup.a_folder")}`)),
  ].filter(Boolean);
}

function headline(backup) {
  if (!backup.at) return t(backup.overdue ? "backup.never" : "backup.not_yet");
  return t(backup.overdue ? "backup.old" : "backup.last", { ago: agoText(backup.at) });
}

// Not disabled meanwhile: that would take the focus away.
function button(backup, ask) {
  const on = { click: () => backup.running || ask() };
  return el("button", { type: "button", class: "button primary", "aria-disabled": backup.running && "true", on }, t(backup.running ? "backup.running" : "backup.now"));
}

function nameIn(folder, file) {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
}

function fact(name, value) {
  return el("div", {}, el("dt", {}, t(name)), el("dd", {}, value));
}

function sizeText(bytes) {
  const [unit, size] = bytes >= 1e9 ? ["gigabyte", bytes / 1e9] : ["megabyte", Math.max(bytes / 1e6, 0.1)];
  return new Intl.NumberFormat(lang, { style: "unit", unit, maximumFractionDigits: 1 }).format(size);
}
