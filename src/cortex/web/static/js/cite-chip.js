// A citation chip: a link to the passage. Dashed until its quote was checked; none at all when the check failed.

import { el } from "./dom.js";
import { t } from "./i18n.js";

export function citeChip(i, n, source, citation) {
  const chip = el("a", { class: "chip", "data-i": i, "data-n": n }, String(n));
  updateChip(chip, source, citation);
  return chip;
}

export function updateChip(chip, source, citation) {
  const { start, end } = citation ?? source.passage;
  chip.href = passageUrl(source.document_id, start, end);
  chip.classList.toggle("pending", !citation);
  const state = t(citation ? "sources.verified" : "sources.pending");
  chip.setAttribute("aria-label", `${t("sources.chip", { n: source.n, title: source.title })}, ${state}`);
}

// What stands in a chip's place when its sentence has no source.
export function unsourcedMark() {
  return el("span", { class: "unsourced-mark", role: "img", "aria-label": t("answer.unsourced"), title: t("answer.unsourced") }, "?");
}

export function passageUrl(documentId, start, end) {
  return `/d/${documentId}?at=${start}-${end}`;
}
