// Dates, quarters and spans of time as people say them, by Intl.

import { lang, t } from "./i18n.js";

// The reader's own way of writing dates, where it is of the page's language.
export const locale = navigator.languages.find((name) => name.startsWith(lang)) ?? lang;
const day = new Intl.DateTimeFormat(locale, { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" });
const ago = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
const numeral = new Intl.NumberFormat(lang === "zh" ? "zh-u-nu-hanidec" : lang);
const AGO = [["year", 31536000], ["month", 2592000], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]];

export function dateText(iso) {
  const date = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? iso : day.format(date);
}

// 20261 is the first quarter of 2026.
export function quarterText(period) {
  return t("scope.quarter", { year: String(Math.floor(period / 10)), quarter: numeral.format(period % 10) });
}

export function quartersText(first, last) {
  return first === last ? quarterText(first) : `${quarterText(first)} – ${quarterText(last)}`;
}

export function agoText(iso, now = Date.now()) {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  for (const [unit, size] of AGO) {
    if (Math.abs(seconds) >= size) return ago.format(Math.trunc(seconds / size), unit);
  }
  return ago.format(0, "minute");
}

// Time that is left, in steps: never seconds.
export function leftText(seconds) {
  if (seconds < 60) return t("status.soon");
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 10) return t("status.minutes", { n: minutes });
  if (minutes < 60) return t("status.minutes", { n: Math.ceil(minutes / 5) * 5 });
  return t("status.hours", { n: Math.ceil(minutes / 60) });
}
