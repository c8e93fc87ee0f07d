// Starts the sync of a source, or attaches to one that runs, and follows it to its report.

import { call, request } from "./api.js";
import { eventsOf } from "./sse.js";

// `onProgress({done, total})`. Gives the report; null when the run was cancelled before it had one.
export async function syncSource(name, { onProgress = () => {}, attach = false } = {}) {
  const path = syncPath(name);
  if (!attach) await call(path, { method: "POST" });
  const response = await request(path, { headers: { Accept: "text/event-stream" } });
  for await (const { type, data } of eventsOf(response.body)) {
    if (type === "progress") onProgress(data);
    else if (type === "error") throw new Error(data.detail || data.title);
    else if (type === "done" || type === "cancelled") return data.report;
  }
  return null;
}

export function cancelSync(name) {
  return call(syncPath(name), { method: "DELETE" });
}

function syncPath(name) {
  return `/api/sources/${encodeURIComponent(name)}/sync`;
}
