// Whether Cortex can be reached: judged by requests that failed and by /health/live, never by what the browser says of its network alone.

import { tellHere } from "./news.js";

const LOOK_MS = 4000;
const [FIRST_MS, LAST_MS] = [1000, 30_000];

let up = true;
let looking = null;
let tries = 0;
let timer = 0;

export const isUp = () => up;

// A request was not answered: is it that one, or Cortex?
export const missed = () => look();

// Looks now; resolves with whether it is there.
export function look() {
  clearTimeout(timer);
  return (looking ??= alive().then(judged).finally(() => (looking = null)));
}

// The browser's own word for it, and a person who comes back, are reasons to look, no more.
export function watchConnection() {
  addEventListener("cortex.missed", missed);
  for (const hint of ["online", "offline", "pageshow"]) addEventListener(hint, look);
  document.addEventListener("visibilitychange", () => document.hidden || up || look());
}

async function alive() {
  try {
    const response = await fetch("/health/live", { cache: "no-store", signal: AbortSignal.timeout(LOOK_MS) });
    return response.ok && (await response.json()).status === "ok";
  } catch {
    return false;
  }
}

function judged(now) {
  tries = now ? 0 : tries + 1;
  if (!now) timer = setTimeout(look, wait(tries - 1));
  if (now !== up) {
    up = now;
    // For whoever is too small to ask: html[data-away].
    document.documentElement.toggleAttribute("data-away", !up);
    tellHere("connection", { up });
  }
  return now;
}

// Later and later, never all at once.
export function wait(tried, first = FIRST_MS, last = LAST_MS) {
  return Math.min(last, first * 2 ** tried) * (0.75 + Math.random() / 2);
}
