// One passage beside the answer (a sheet on small screens): what was cited, marked, in the words around it.

import { passageUrl } from "./cite-chip.js";
import { el, icon } from "./dom.js";
import { t } from "./i18n.js";
import { slicePoints } from "./offsets.js";
import { alsoIn, safeOpenUrl, sourceFacts } from "./source-facts.js";

export class PassagePanel {
  n = 0;
  #body = el("div", { class: "passage-content" });
  #onClose;
  #onStep;
  root;

  constructor({ onClose, onStep }) {
    this.#onClose = onClose;
    this.#onStep = onStep;
    this.root = el("section", { class: "passage", hidden: true, on: { keydown: (event) => this.#key(event) } }, this.#body);
  }

  show(source, citation, { k, n }) {
    this.n = source.n;
    const title = el("h3", { class: "passage-title", tabindex: "-1", lang: source.lang }, source.title);
    const { start, end } = citation ?? source.passage;
    const open = safeOpenUrl(source.open_url);
    this.#body.replaceChildren(...[
      el("div", { class: "passage-bar" },
        el("button", { type: "button", class: "button quiet", on: { click: this.#onClose } }, t("sources.back")),
        el("span", { class: "passage-steps" }, n > 1 && this.#stepper(-1, "back", "sources.previous"),
          el("span", { class: "muted" }, t("sources.position", { k, n })), n > 1 && this.#stepper(1, "next", "sources.next")),
        el("button", { type: "button", class: "button quiet", "aria-label": t("sources.close"), on: { click: this.#onClose } }, icon("close"))),
      title,
      el("p", { class: "muted" }, [sourceFacts(source), alsoIn(source), citation && t("sources.verified")].filter(Boolean).join(" · ")),
      citation?.changed && el("p", { class: "notice warn" }, t("answer.changed")),
      el("div", { class: "passage-text", lang: source.lang, tabindex: "0" }, passageParts(source.passage, citation)),
      el("div", { class: "pills" },
        el("a", { class: "button", href: passageUrl(source.document_id, start, end) }, t("sources.open_note")),
        open && el("a", { class: "button", href: open, rel: "noopener noreferrer", target: "_blank" }, t("sources.open_original"), icon("out"))),
    ].filter(Boolean));
    this.root.hidden = false;
    title.focus({ preventScroll: true });
    this.#body.querySelector("mark")?.scrollIntoView({ block: "nearest" });
  }

  hide() {
    this.root.hidden = true;
    this.n = 0;
  }

  #stepper(step, picture, name) {
    return el("button", { type: "button", class: "button quiet", "aria-label": t(name), on: { click: () => this.#onStep(step) } }, icon(picture));
  }

  #key(event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    this.#onStep(event.key === "ArrowLeft" ? -1 : 1);
  }
}

// The passage with the quote marked. A quote from elsewhere in the note stands alone.
function passageParts(passage, citation) {
  const mark = (text) => el("mark", { class: "has-passage" }, text);
  if (!citation) return [mark(passage.text.trim())];
  const [start, end] = [citation.start - passage.start, citation.end - passage.start];
  if (start < 0 || citation.end > passage.end) return [mark(citation.quote)];
  const length = [...passage.text].length;
  return [around(slicePoints(passage.text, 0, start)).trimStart(), mark(slicePoints(passage.text, start, end)),
    around(slicePoints(passage.text, end, length)).trimEnd()];
}

// The words around a quote, without the marks of headings; the quote itself stays as it is written.
function around(text) {
  return text.replace(/^#{1,6}\s+/gm, "").replace(/\n{3,}/g, "\n\n");
}
