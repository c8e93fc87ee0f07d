// Starts the sync of a source, or attaches to one that runs, and follows it to its report.

import { call, request } from "./api.js";
import { eventsOf } from "./sse.js";

// `onProgress({done, total})`; `dry_run` changes nothing, `allow_deletes` removes what is missing. Gives the report.
export async function syncSource(name, { onProgress = () => {}, attach = false, ...wanted } = {}) {
  const path = syncPath(name);
  if (!attach) await startSync(name, wanted);
  const response = await request(path, { headers: { Accept: "text/event-stream" } });
  for await (const { type, data } of eventsOf(response.body)) {
    if (type === "progress") onProgress(data);
    else if (type === "error") throw new Error(data.detail || data.title);
    else if (type === "done" || type === "cancelled") return data;
  }
  return null;
}

export function startSync(name, wanted = {}) {
  return call(syncPath(name), { method: "POST", body: wanted });
}

export function cancelSync(name) {
  return call(syncPath(name), { method: "DELETE" });
}

function syncPath(name) {
  return `/api/sources/${encodeURIComponent(name)}/sync`;
}
