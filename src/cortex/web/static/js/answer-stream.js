// The events of one answer, whatever happens to the connection: a drop is resumed where it broke, for 30 s.

import { Problem, request } from "./api.js";
import { eventsOf } from "./sse.js";

const GRACE_MS = 30000;
const PAUSES_MS = [250, 500, 1000, 2000, 4000];

// `ask` is the body of POST /api/ask, or `answerId` names an answer that is already running.
// Yields the server's events, and {type: "reconnecting"} when the connection was lost.
export async function* answerEvents({ ask, answerId }, signal) {
  const at = { id: answerId, last: undefined };
  let lostSince = null;
  let tries = 0;
  for (;;) {
    try {
      const response = await open(ask, at, signal);
      for await (const event of eventsOf(response.body)) {
        lostSince = null;
        tries = 0;
        at.last = event.id ?? at.last;
        at.id = event.data.answer_id ?? at.id;
        yield event;
        if (event.type === "done" || event.type === "error") return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && !error.unreachable) throw error;
      if (at.id === undefined) throw error instanceof Problem ? error : new Problem(0);
    }
    if (signal.aborted) return;
    lostSince ??= Date.now();
    if (at.id === undefined || Date.now() - lostSince > GRACE_MS) throw new Problem(0);
    yield { type: "reconnecting", data: {} };
    await pause(PAUSES_MS[Math.min(tries++, PAUSES_MS.length - 1)], signal);
  }
}

function open(ask, at, signal) {
  const headers = { Accept: "text/event-stream" };
  if (at.id === undefined) return request("/api/ask", { method: "POST", body: ask, headers, signal });
  if (at.last !== undefined) headers["Last-Event-ID"] = at.last;
  return request(`/api/answers/${at.id}/stream`, { headers, signal });
}

function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
