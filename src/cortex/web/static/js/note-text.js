// What a person writes into a note: {title, body, kind, date, topic, tags}; and how two such texts compare.

const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/;
const LONGEST = 200;

// The title that a note without one is given: its first heading, else its first line.
export function derivedTitle(body) {
  const lines = body.split("\n", 200).map((line) => line.trim());
  const heading = lines.map((line) => HEADING.exec(line)?.[1]).find(Boolean);
  return (heading ?? lines.find((line) => line) ?? "").slice(0, LONGEST);
}

// As it stands in the editor: a title that was only taken from the text (`titled` is false) stays empty there, so that it follows the text.
export function fieldsOf({ title = "", titled = true, body = "", kind = "note", date = null, topic = null, tags = [] }) {
  return { title: titled ? title : "", body, kind, date, topic, tags };
}

export function sameFields(one, other) {
  return sameText(one, other) && one.kind === other.kind && one.date === other.date && one.topic === other.topic
    && [...one.tags].sort().join("\n") === [...other.tags].sort().join("\n");
}

// The place of a file that is on its way (see attach.js) is not saved: a reload would leave it there for ever.
const HELD = /!?\[[^\]\n]*\]\(attaching:\d+\)/g;
export const withoutHeld = (body) => (body.includes("](attaching:") ? body.replace(HELD, "") : body);

export function sameText(one, other) {
  return one.body === other.body && one.title === other.title;
}
