// Server-sent events from a fetch body: {id, type, data} with data parsed. Lines may end in LF, CRLF or CR.

export async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let fields = {};
  try {
    for (;;) {
      const { value, done } = await reader.read();
      rest += value ?? "";
      // A CR at the very end may be the first half of a CRLF: it waits for what comes next.
      const lines = rest.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/);
      rest = lines.pop();
      for (const line of lines) {
        if (line === "") {
          const event = dispatched(fields);
          fields = {};
          if (event) yield event;
        } else take(line, fields);
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function take(line, fields) {
  if (line.startsWith(":")) return;
  const colon = line.indexOf(":");
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  if (name === "data") fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`;
  else if (name === "event" || name === "id") fields[name] = value;
}

function dispatched({ event = "message", id, data }) {
  return data === undefined ? null : { type: event, id, data: JSON.parse(data) };
}
