// Wiki links of a note being written: each name is looked up once, and leads to its note, or to a new one of that name.

import { el } from "./dom.js";
import { t } from "./i18n.js";
import { titles } from "./note-store.js";

const AT_ONCE = 4;
// The source of notes that are written here: their place is the editor, that of others the page that shows them.
const OWN = "notes";

export function noteLinks() {
  const found = new Map();
  const waiting = new Map();
  let running = 0;

  function element(target, label) {
    const [name, heading] = target.split("#").map((part) => part.trim());
    if (!name) return label;
    const link = el("a", { class: "wiki" }, label === target && heading ? `${name} › ${heading}` : label);
    if (found.has(name)) lead(link, name, found.get(name));
    else waiting.set(name, [...(waiting.get(name) ?? []), link]);
    return link;
  }

  async function resolve() {
    if (running >= AT_ONCE || waiting.size === 0) return;
    running += 1;
    const [[name, links]] = waiting;
    waiting.delete(name);
    try {
      const same = (await titles(name)).find(({ title }) => title.toLowerCase() === name.toLowerCase());
      found.set(name, same ? `${same.source === OWN ? "/notes" : "/d"}/${same.document_id}` : null);
      for (const link of links) lead(link, name, found.get(name));
    } catch {
      // Without the server a link is its words.
    }
    running -= 1;
    resolve();
  }

  return { element, resolve };
}

function lead(link, name, address) {
  link.href = address ?? `/notes/new?${new URLSearchParams({ title: name })}`;
  link.classList.toggle("missing", address === null);
  if (address === null) link.title = t("editor.no_such_note");
}
