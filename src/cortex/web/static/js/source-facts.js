// What is said of a source in one line: where it comes from, its time, its language.

import { dateText, quarterText } from "./dates.js";
import { lang, t } from "./i18n.js";
import { originText } from "./origin.js";

export function sourceFacts(source) {
  const facts = [source.source === "notes" ? t("sources.own") : source.source_name ?? source.source];
  if (originText(source)) facts.push(originText(source));
  if (source.date) facts.push(dateText(source.date));
  else if (source.period) facts.push(quarterText(source.period));
  if (source.lang && source.lang !== lang) facts.push(t(source.lang === "zh" ? "sources.chinese" : "sources.english"));
  return facts.join("\u00a0· ");
}

export function alsoIn(source) {
  const names = (source.also_in ?? []).map((other) => (typeof other === "string" ? other : other.source_name ?? other.source));
  return names.length ? t("sources.also_in", { names: names.join(", ") }) : "";
}

// Links that may leave Cortex: web pages and Obsidian, nothing else.
export function safeOpenUrl(url) {
  return typeof url === "string" && /^(?:https|obsidian):\/\//i.test(url) ? url : null;
}
