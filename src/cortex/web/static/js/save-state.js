// Two words that say whether what stands here is saved, and above the text why it could not be. The words are no live region: only
// what a person must act on is told aloud.

import { waitingHint } from "./device-hints.js";
import { t } from "./i18n.js";
import { timeText } from "./moments.js";
import { problemText } from "./problem-text.js";

const MOMENT_MS = 1500;

export class SaveState {
  #line;
  #notices;
  #again;
  #since = 0;
  #timer = 0;

  constructor(line, notices, again) {
    this.#line = line;
    this.#notices = notices;
    this.#again = again;
  }

  show(state, { note, problem } = {}) {
    clearTimeout(this.#timer);
    if (state !== "kept") this.#since = Date.now();
    else this.#timer = setTimeout(() => this.show(state, { note }), MOMENT_MS);
    this.#line.dataset.state = state;
    this.#line.textContent = this.#text(state, note);
    if (state === "waiting") this.#why(t(problem.unreachable ? "editor.unreachable" : "editor.waiting_why", { reason: problemText(problem) }));
    else if (state === "refused") this.#why(t("editor.refused", { reason: problemText(problem) }));
    else if (state !== "unsaved") this.#notices.say("save", null);
  }

  #why(text) {
    this.#notices.say("save", text, [["ask.try_again", this.#again]]);
  }

  #text(state, note) {
    switch (state) {
      case "saving":
        return t("editor.saving");
      case "saved":
        return t("editor.saved", { time: timeText(note.updated_at) });
      case "kept":
        // On its way for a moment; after that, or without Cortex, it says where the text is.
        return !document.documentElement.hasAttribute("data-away") && Date.now() - this.#since < MOMENT_MS ? t("editor.saving") : t("offline.waiting", { n: Math.max(1, waitingHint()) });
      case "unsaved":
        return t("editor.edited");
      case "waiting":
        return t("editor.waiting");
      case "refused":
      case "trashed":
        return t("editor.not_saved");
      case "conflict":
        return t("conflict.waits");
      default:
        return note?.id ? t("editor.saved", { time: timeText(note.updated_at) }) : "";
    }
  }
}
