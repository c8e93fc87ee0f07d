// A conversation as it was kept, told to the turns as the events that made it.

import { call } from "./api.js";

export async function storedConversation(id) {
  const { answers } = await call(`/api/conversations/${id}`);
  return Promise.all(answers.map((answer) => (answer.sources ? answer : call(`/api/answers/${answer.answer_id}`))));
}

export function replay(turn, answer) {
  turn.apply({ type: "sources", data: { ...answer, in_scope: answer.in_scope, sources: answer.sources ?? [] } });
  turn.apply({ type: "delta", data: { text: answer.text ?? answer.answer ?? "" } });
  for (const citation of answer.citations ?? []) turn.apply({ type: "citation", data: citation });
  if (answer.state === "failed" || answer.state === "interrupted") turn.fail(answer.done ?? { type: "interrupted" });
  else turn.apply({ type: "done", data: { ...answer, ...(answer.done ?? {}) } });
  if (answer.state === "stopped") turn.say("answer.stopped");
  turn.end();
}
