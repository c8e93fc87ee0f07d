// When a note was written, and the days that it is about.

import { locale } from "./dates.js";

const DAY_MS = 86_400_000;
const day = { year: "numeric", month: "short", day: "numeric" };
const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
const thisYear = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
const anyYear = new Intl.DateTimeFormat(locale, day);
const moment = new Intl.DateTimeFormat(locale, { ...day, hour: "2-digit", minute: "2-digit" });
const utc = (parts) => new Intl.DateTimeFormat(locale, { ...parts, timeZone: "UTC" });

// The time of today, else the day; and the year once that is another.
export function timeText(iso, now = new Date()) {
  const at = new Date(iso);
  if (at.toDateString() === now.toDateString()) return clock.format(at);
  return (at.getFullYear() === now.getFullYear() ? thisYear : anyYear).format(at);
}

export const momentText = (iso) => moment.format(new Date(iso));

// The seven days of a date's week, Monday to Sunday.
export function weekText(iso) {
  const monday = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(monday.getTime())) return iso;
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  return spanText(monday, new Date(monday.getTime() + 6 * DAY_MS));
}

// Browsers write a Chinese span as numbers between slashes, twice in full; there the end says only what is different.
function spanText(first, last) {
  if (!locale.startsWith("zh")) return utc(day).formatRange(first, last);
  const sameYear = first.getUTCFullYear() === last.getUTCFullYear();
  const sameMonth = sameYear && first.getUTCMonth() === last.getUTCMonth();
  const end = utc(sameMonth ? { day: "numeric" } : sameYear ? { month: "short", day: "numeric" } : day);
  return `${utc(day).format(first)}–${end.format(last)}`;
}

// Today where the reader is, as YYYY-MM-DD.
export function today(now = new Date()) {
  return [now.getFullYear(), String(now.getMonth() + 1).padStart(2, "0"), String(now.getDate()).padStart(2, "0")].join("-");
}
