// Brings the copy in this browser up to date with the feed of changes. What is written here meanwhile is not touched by it.

import { call } from "./api.js";
import { isUp } from "./connection.js";
import { copyIsOn } from "./device-hints.js";
import { exclusive } from "./lock.js";
import { hear, tell } from "./news.js";
import { begin, position, takeIn } from "./offline-store.js";

const [SEEN_MS, HIDDEN_MS] = [15_000, 300_000];
const PAGE = 200;
const ASKED = "cortex.feed-asked";

let timer = 0;
let full = false;

// Reads what is new, unless another tab is at it. Gives whether the copy is up to date.
export async function readFeed() {
  clearTimeout(timer);
  try {
    if (!isUp() || full || !copyIsOn()) return false;
    return (await exclusive("cortex.feed", readAll, { soon: true })) ?? false;
  } catch (problem) {
    // No room for more copies: those that are here stay, and edits go on.
    full = problem.reason === "quota";
    return false;
  } finally {
    timer = setTimeout(later, document.hidden ? HIDDEN_MS : SEEN_MS);
  }
}

export function followFeed() {
  hear("connection", ({ up }) => up && readFeed());
  document.addEventListener("visibilitychange", () => document.hidden || readFeed());
  return readFeed();
}

// One tab asks for all of them.
function later() {
  const asked = Number(localStorage.getItem(ASKED)) || 0;
  const wait = document.hidden ? HIDDEN_MS : SEEN_MS;
  if (Date.now() - asked >= wait * 0.8) return readFeed();
  timer = setTimeout(later, wait);
}

async function readAll() {
  localStorage.setItem(ASKED, String(Date.now()));
  for (;;) {
    const at = await position();
    const page = await pageAfter(at);
    if (page === null || (at.feed && page.feed !== at.feed)) {
      // It is another feed than the one that was read: the notebook was restored, or began anew.
      await begin();
      continue;
    }
    const notes = await takeIn(page);
    // A first copy is no news.
    if (at.whole && notes.length) tell("changed", { notes });
    if (!page.more) return true;
  }
}

async function pageAfter({ since, whole }) {
  try {
    // For a first copy only the last change of each note counts.
    return await call(`/api/changes?${new URLSearchParams({ since, limit: PAGE, ...(whole ? {} : { latest: true }) })}`);
  } catch (problem) {
    if (problem.status === 409 && since > 0) return null;
    throw problem;
  }
}
