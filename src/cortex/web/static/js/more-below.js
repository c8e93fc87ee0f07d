// Nothing scrolls by itself while an answer grows; a button says that its end is out of sight.

import { by } from "./dom.js";

export function moreBelow() {
  const button = by("more");
  let watched = null;
  let seen = null;
  button.addEventListener("click", () => watched.scrollIntoView({ block: "end", behavior: "smooth" }));
  const observe = () => {
    if (!watched) return;
    seen?.disconnect();
    // What the box covers is out of sight too.
    const covered = Math.max(0, Math.round(innerHeight - button.parentElement.getBoundingClientRect().top));
    seen = new IntersectionObserver(([entry]) => {
      button.hidden = entry.isIntersecting || entry.boundingClientRect.top < 0;
    }, { rootMargin: `0px 0px -${covered}px 0px` });
    seen.observe(watched);
  };
  // The box grows with what is typed, and the window with its keyboard.
  new ResizeObserver(observe).observe(button.parentElement);
  addEventListener("resize", observe);
  return (turn) => {
    watched = turn.endMark;
    observe();
  };
}
