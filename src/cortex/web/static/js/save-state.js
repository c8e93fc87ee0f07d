// Two words that say whether what stands here is saved, and above the text why it could not be. The words are no live region: only
// what a person must act on is told aloud.

import { t } from "./i18n.js";
import { timeText } from "./moments.js";
import { problemText } from "./problem-text.js";

export class SaveState {
  #line;
  #notices;
  #again;

  constructor(line, notices, again) {
    this.#line = line;
    this.#notices = notices;
    this.#again = again;
  }

  show(state, { note, problem } = {}) {
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
