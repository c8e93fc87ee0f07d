// Notes whose title holds what is being typed: offered below the box, so that a note is opened without asking.

import { call } from "./api.js";
import { el } from "./dom.js";
import { langOf, t } from "./i18n.js";
import { watchComposition } from "./ime.js";
import { announce } from "./live-status.js";
import { sourceFacts } from "./source-facts.js";

const TYPING_MS = 200;
const [SHORTEST, LONGEST] = [2, 60];

// Shows them in `root`; gives a function that closes the list and says whether it was open.
export function offerTitles(box, root) {
  const composing = watchComposition(box);
  let timer = 0;
  let asked = 0;
  const close = () => {
    clearTimeout(timer);
    asked += 1;
    const open = !root.hidden;
    root.hidden = true;
    return open;
  };
  const look = async () => {
    const words = box.value.trim();
    const mine = ++asked;
    if ([...words].length < SHORTEST || words.length > LONGEST || words.includes("\n")) return close();
    const { documents } = await call(`/api/documents?${new URLSearchParams({ q: words, limit: 5 })}`).catch(() => ({ documents: [] }));
    if (mine !== asked) return;
    root.hidden = documents.length === 0;
    root.replaceChildren(el("p", { class: "titles-head" }, t("titles.heading")), el("ul", {}, documents.map(row)));
    if (documents.length) announce(t("titles.found", { n: documents.length }));
  };
  box.addEventListener("input", (event) => {
    clearTimeout(timer);
    if (!composing(event)) timer = setTimeout(look, TYPING_MS);
  });
  box.addEventListener("compositionend", () => (timer = setTimeout(look, TYPING_MS)));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !composing(event)) close();
    if (event.key !== "ArrowDown" || root.hidden || composing(event)) return;
    event.preventDefault();
    root.querySelector("a").focus();
  });
  root.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const links = [...root.querySelectorAll("a")];
    (links[links.indexOf(document.activeElement) + step] ?? (step < 0 ? box : links.at(-1))).focus();
  });
  document.addEventListener("pointerdown", (event) => !root.contains(event.target) && event.target !== box && close());
  return close;
}

function row(note) {
  return el("li", {}, el("a", { href: `/d/${note.document_id}` },
    el("span", { class: "titles-title", lang: langOf(note.title, note.lang) }, note.title), el("span", { class: "muted" }, sourceFacts(note))));
}
