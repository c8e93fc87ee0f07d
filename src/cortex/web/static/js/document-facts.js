// The line under a note's title: source, time, topic, tags.

import { dateText, quarterText } from "./dates.js";
import { t } from "./i18n.js";
import { originText } from "./origin.js";

export function documentFacts(note) {
  const facts = [note.editable ? t("sources.own") : note.source];
  if (originText(note.metadata)) facts.push(originText(note.metadata));
  if (note.date) facts.push(dateText(note.date));
  if (note.period) facts.push(quarterText(note.period));
  if (note.kind === "weekly") facts.push(t("scope.weekly"));
  if (note.topic) facts.push(t("document.topic", { name: note.topic }));
  for (const tag of note.tags ?? []) facts.push(`#\u2060${tag}`);
  if (!note.editable) facts.push(t("document.mirror"));
  return facts.join("\u00a0· ");
}
