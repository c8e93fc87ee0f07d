// What is said of a note in one line: kind, days, topic, tags.

import { dateText } from "./dates.js";
import { t } from "./i18n.js";
import { weekText } from "./moments.js";

export function factText(note) {
  const facts = [];
  if (note.kind === "weekly") facts.push(t("kind.weekly"));
  if (note.date) facts.push(note.kind === "weekly" ? weekText(note.date) : dateText(note.date));
  if (note.topic) facts.push(t("document.topic", { name: note.topic }));
  else if (note.kind === "topic") facts.push(t("kind.topic"));
  for (const tag of note.tags ?? []) facts.push(`#\u2060${tag}`);
  return facts.join("\u00a0· ");
}
