// Stop: the server closes the answer and the stream ends by itself; if it cannot be told, the reader leaves.

import { call } from "./api.js";

const PATIENCE_MS = 1500;

export async function stopAnswer(answerId, control) {
  if (!answerId) return control.abort();
  setTimeout(() => control.abort(), PATIENCE_MS);
  try {
    await call(`/api/answers/${answerId}/stop`, { method: "POST" });
  } catch {
    control.abort();
  }
}
