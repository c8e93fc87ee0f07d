// The lines under the box: how far the index is, which folders have newer files, whether this is the sample.

import { el } from "./dom.js";
import { freshnessLines } from "./freshness.js";
import { indexProgress } from "./index-progress.js";

export function showUnder(root) {
  const progress = el("div", { class: "under-line" });
  const sources = el("div", { class: "under-sources" });
  root.replaceChildren(progress, sources);
  indexProgress(progress);
  freshnessLines(sources);
}
