// Writes an answer as it streams: once a frame, rebuilding only blocks whose text changed (in practice the last).

import { blockElement } from "./block-markdown.js";
import { blocksOf } from "./blocks.js";
import { langOf } from "./i18n.js";
import { inlineNodes, settled } from "./inline-markdown.js";
import { underlineUnsourced } from "./unsourced.js";

export class AnswerWriter {
  text = "";
  #root;
  #makeChip;
  #allowed;
  #written = [];
  #frame = 0;
  #streaming = true;

  // `makeChip(i, n)` gives the chip of the i-th marker or null; `allowed(url)` decides on links.
  constructor(root, { makeChip, allowed }) {
    this.#root = root;
    this.#makeChip = makeChip;
    this.#allowed = allowed;
  }

  write(text) {
    this.text += text;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#paint();
    });
  }

  end() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#streaming = false;
    this.#paint();
  }

  // Writes the block of the i-th marker again: its state changed from a source to none.
  rewrite(i) {
    const place = this.#written.findIndex((block) => i > block.before && i <= block.before + block.markers);
    if (place < 0) return;
    this.#written[place].raw = null;
    this.#paint();
  }

  #paint() {
    const blocks = blocksOf(this.#streaming ? settled(this.text) : this.text);
    let before = 0;
    blocks.forEach((block, place) => {
      const old = this.#written[place];
      if (!old || old.raw !== block.raw || old.before !== before) this.#put(place, block, before);
      before += this.#written[place].markers;
    });
    for (const gone of this.#written.splice(blocks.length)) gone.element.remove();
  }

  #put(place, block, before) {
    let markers = 0;
    const chip = (n) => {
      const made = this.#makeChip(before + markers + 1, n);
      if (made) markers += 1;
      return made;
    };
    const focused = document.activeElement;
    const element = blockElement(block, (text) => inlineNodes(text, { chip, allowed: this.#allowed }));
    underlineUnsourced(element);
    speak(element);
    const old = this.#written[place]?.element;
    if (old) old.replaceWith(element);
    else this.#root.append(element);
    // A chip that moved into the new block keeps the focus that it had.
    if (focused !== document.activeElement && element.contains(focused)) focused.focus({ preventScroll: true });
    this.#written[place] = { raw: block.raw, before, markers, element };
  }
}

// A quote is spoken in its own language, and looks like it: each item and paragraph by its own words.
function speak(element) {
  for (const part of [element, ...element.querySelectorAll("li, p, td, th")]) {
    if (part.matches("li, p, td, th, h3, h4, h5, h6")) part.lang = langOf(part.textContent);
  }
}
