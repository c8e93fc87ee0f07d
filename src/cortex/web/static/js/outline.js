// The headings of a note as links, and where the reader is among them.

import { el } from "./dom.js";
import { langOf, t } from "./i18n.js";

// `headings` are {level, text, start}; the elements carry the same start as data-s.
export function outlineView(body, headings, lang) {
  const places = headings.map((heading) => ({ heading, element: body.querySelector(`:is(h1, h2, h3, h4, h5, h6)[data-s="${heading.start}"]`) }))
    .filter(({ element }) => element && !element.hidden);
  if (places.length < 2) return null;
  const top = Math.min(...places.map(({ heading }) => heading.level));
  const links = new Map();
  const items = places.map(({ heading, element }) => {
    element.id = `h-${heading.start}`;
    const link = el("a", { href: `#${element.id}`, "data-depth": Math.min(heading.level - top, 3), lang: langOf(heading.text, lang) }, heading.text);
    links.set(element, link);
    return el("li", {}, link);
  });
  follow(links);
  return el("nav", { "aria-labelledby": "outline-head" }, el("h2", { id: "outline-head" }, t("document.outline")), el("ol", {}, items));
}

function follow(links) {
  const seen = new IntersectionObserver((entries) => {
    const reached = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
    if (reached.length === 0) return;
    for (const link of links.values()) link.removeAttribute("aria-current");
    links.get(reached[0]).setAttribute("aria-current", "location");
  }, { rootMargin: "0px 0px -60% 0px" });
  for (const element of links.keys()) seen.observe(element);
}
