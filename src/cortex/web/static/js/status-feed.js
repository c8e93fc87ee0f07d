// The state of the index, asked again every two seconds while something is under way, as long as the page can be seen.

import { call } from "./api.js";

const BUSY_MS = 2000;
const IDLE_MS = 20000;

// Calls `show(status, share)`; status is null where Cortex cannot be reached. Gives a function that looks at once.
export function watchStatus(show) {
  let timer = 0;
  const look = async () => {
    clearTimeout(timer);
    let wait = IDLE_MS;
    if (!document.hidden) {
      const status = await call("/api/status").catch(() => null);
      const share = status ? filledShare(status.spaces) : 1;
      if (status && isBusy(status, share)) wait = BUSY_MS;
      show(status, share);
    }
    clearTimeout(timer);
    timer = setTimeout(look, wait);
  };
  document.addEventListener("visibilitychange", look);
  look();
  return look;
}

function filledShare(spaces) {
  const filled = spaces.reduce((sum, space) => sum + space.filled, 0);
  const total = spaces.reduce((sum, space) => sum + space.total, 0);
  return total === 0 ? 1 : filled / total;
}

function isBusy(status, share) {
  return share < 1 || status.waiting > 0 || status.queue.pending + status.queue.running > 0;
}

// What is searchable now, and about how long answers still get better: the key of a sentence and its values.
export function progressOf(status, share) {
  const n = status.documents - (status.waiting ?? 0);
  if (status.documents === 0) return ["status.none", {}];
  if (status.paused && share < 1) return ["status.paused", { n }];
  if (share === 1 || !status.worker.alive) return ["status.searchable", { n }];
  const left = status.spaces.reduce((sum, space) => sum + (space.eta_s ?? Number.NaN), 0);
  return Number.isNaN(left) ? ["status.improving", { n }] : ["status.better", { n, left }];
}

export async function pauseIndexing(paused) {
  await call("/api/indexing", { method: "POST", body: { paused } });
}
