// A note as it reads, while it is written: only the blocks that changed are made anew. Works without the server.

import { blockElement } from "./block-markdown.js";
import { blocksOf } from "./blocks.js";
import { langOf } from "./i18n.js";
import { inlineNodes } from "./inline-markdown.js";
import { noteLinks } from "./note-links.js";
import { ownImage } from "./note-picture.js";

const OURS = /^\/(?:api\/attachments|d|notes)\/[\w?=&%.~!*'()/-]+$/;

export class Preview {
  #root;
  #shown = [];
  #links = noteLinks();
  #context;

  constructor(root) {
    this.#root = root;
    this.#context = {
      allowed: () => true,
      inside: (url) => (OURS.test(url) ? url : null),
      image: ownImage,
      wiki: (target, label, embed) => this.#links.element(target, label, embed),
    };
  }

  show(text, lang) {
    this.#root.lang = lang;
    const blocks = blocksOf(text);
    const old = this.#shown;
    let head = 0;
    while (head < blocks.length && head < old.length && blocks[head].raw === old[head].raw) head += 1;
    let tail = 0;
    while (tail < blocks.length - head && tail < old.length - head && blocks.at(-1 - tail).raw === old.at(-1 - tail).raw) tail += 1;
    const fresh = blocks.slice(head, blocks.length - tail).map((block) => ({ raw: block.raw, element: this.#element(block, lang) }));
    const gone = old.slice(head, old.length - tail);
    const before = old[old.length - tail]?.element ?? null;
    for (const { element } of gone) element.remove();
    for (const { element } of fresh) this.#root.insertBefore(element, tail ? before : null);
    this.#shown = [...old.slice(0, head), ...fresh, ...old.slice(old.length - tail)];
    this.#links.resolve();
  }

  #element(block, lang) {
    const element = blockElement(block, (line) => inlineNodes(line, this.#context), 1);
    const own = langOf(block.raw, lang);
    if (own !== lang) element.lang = own;
    return element;
  }
}
