// Starts the sync of a source, or attaches to one that runs, and follows it to its report.

import { request } from "./api.js";
import { eventsOf } from "./sse.js";

// `onProgress({done, total, item})`. Gives the report, or null when the server told none.
export async function syncSource(name, { onProgress = () => {}, attach = false, signal } = {}) {
  const path = `/api/sources/${encodeURIComponent(name)}/sync`;
  const response = await request(path, { method: attach ? "GET" : "POST", headers: { Accept: "text/event-stream" }, signal });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    return attach ? response.json() : syncSource(name, { onProgress, attach: true, signal });
  }
  let report = null;
  for await (const { type, data } of eventsOf(response.body)) {
    if (type === "progress") onProgress(data);
    else if (type === "report" || type === "done") report = data;
    else if (type === "error") throw new Error(data.detail || data.title);
  }
  return report;
}
