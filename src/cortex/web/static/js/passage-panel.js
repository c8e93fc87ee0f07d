// One passage beside the answer (a sheet on small screens): what was cited, marked, in the words around it.

import { passageUrl } from "./cite-chip.js";
import { el, icon } from "./dom.js";
import { langOf, t } from "./i18n.js";
import { fillPassage } from "./passage-view.js";
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
    const title = el("h3", { class: "passage-title", tabindex: "-1", lang: langOf(source.title, source.lang) }, source.title);
    const { start, end } = citation ?? source.passage;
    const text = el("div", { class: "passage-text", lang: source.lang, tabindex: "0" });
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
      text,
      el("div", { class: "pills" },
        el("a", { class: "button", href: passageUrl(source.document_id, start, end) }, t("sources.open_note")),
        open && el("a", { class: "button", href: open, rel: "noopener noreferrer", target: "_blank" }, t("sources.open_original"), icon("out"))),
    ].filter(Boolean));
    this.root.hidden = false;
    title.focus({ preventScroll: true });
    fillPassage(text, source, citation).then(() => {
      const mark = text.querySelector("mark");
      if (mark) text.scrollTop += mark.getBoundingClientRect().top - text.getBoundingClientRect().top - text.clientHeight / 3;
    });
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
