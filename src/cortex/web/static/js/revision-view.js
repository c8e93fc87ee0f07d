// One version of a note: what changed in it against the one before, or against now; restored and kept from here.

import { countWords, diffRows } from "./diff-view.js";
import { by, el, icon } from "./dom.js";
import { langOf, t } from "./i18n.js";
import { momentText } from "./moments.js";
import { originText } from "./origin.js";
import { textDiff, wordDiff } from "./text-diff.js";

// `on` is {restore(revision), keep(revision)}.
export function revisionView({ revision, before, note }, on) {
  const isNow = revision.version === note.version;
  const body = el("div", { id: "revision-diff", class: "diff" });
  const show = (than) => body.replaceChildren(...changes(than, revision));
  const head = el("header", { class: "revision-head" },
    el("h2", { lang: langOf(revision.title) }, revision.title),
    el("p", { class: "muted" }, [momentText(revision.at), originText(revision)].filter(Boolean).join("\u00a0· ")),
    el("div", { class: "pills" },
      !isNow && el("button", { type: "button", class: "button primary", on: { click: () => on.restore(revision) } }, t("history.restore")),
      el("button", { id: "keep", type: "button", class: "button", "aria-pressed": String(revision.kept), on: { click: () => on.keep(revision) } }, icon("kept"), t(revision.kept ? "history.kept" : "history.keep")),
      before && !isNow && el("label", { class: "check revision-against" }, el("input", { type: "checkbox", id: "against-now", on: { change: () => show(by("against-now").checked ? asNow(note) : before) } }), el("span", {}, t("history.against_now")))));
  show(before);
  return [head, body];
}

// A title or a tag that changed is a line like others.
function nameRows(before, after) {
  const [was, is] = [before, after].map(({ title, tags = [] }) => [title, ...tags.map((tag) => `#${tag}`)].join(" "));
  return was === is ? [] : [{ kind: "changed", before: was, after: is, parts: wordDiff(was, is) }];
}

// What was different then from how it is now: the changes since, the other way round.
const asNow = (note) => ({ ...note, isNow: true });

function changes(than, revision) {
  if (!than) return [el("p", { class: "muted" }, t("history.first")), ...revision.body.split("\n").map((line) => el("p", { lang: langOf(line) }, line))];
  const [before, after] = than.isNow ? [revision, than] : [than, revision];
  const rows = [...nameRows(before, after), ...textDiff(before.body, after.body)];
  const { gone, come } = countWords(rows);
  if (gone + come === 0 && rows.every(({ kind }) => kind === "same")) return [el("p", { class: "muted" }, t("diff.none")), ...diffRows(rows)];
  return [el("p", { class: "diff-count" }, el("span", { class: "come" }, t("diff.come", { n: come })), " ", el("span", { class: "gone" }, t("diff.gone", { n: gone }))), ...diffRows(rows)];
}
