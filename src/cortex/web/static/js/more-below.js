// Nothing scrolls by itself while an answer grows; a button says that its end is out of sight.

import { by } from "./dom.js";

export function moreBelow() {
  const button = by("more");
  let watched = null;
  const seen = new IntersectionObserver(([entry]) => {
    button.hidden = entry.isIntersecting || entry.boundingClientRect.top < 0;
  }, { rootMargin: "0px 0px -120px 0px" });
  button.addEventListener("click", () => watched.scrollIntoView({ block: "end", behavior: "smooth" }));
  return function watch(turn) {
    if (watched) seen.unobserve(watched);
    watched = turn.endMark;
    seen.observe(watched);
  };
}
