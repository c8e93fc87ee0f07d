// Strings, numbers and plurals of the page's language. No other module holds a sentence.

export const lang = document.documentElement.lang === "zh" ? "zh" : "en";

const response = await fetch(`/static/i18n/${lang}.json`);
const catalogue = await response.json();
const plurals = new Intl.PluralRules(lang);
const numbers = new Intl.NumberFormat(lang);

export function t(key, values = {}) {
  const entry = catalogue[key];
  if (entry === undefined) return key;
  const text = typeof entry === "string" ? entry : entry[plurals.select(values.n ?? 0)] ?? entry.other;
  return text.replace(/\{(\w+)\}/g, (slot, name) => (name in values ? shown(values[name]) : slot));
}

export function has(key) {
  return key in catalogue;
}

function shown(value) {
  return typeof value === "number" ? numbers.format(value) : String(value);
}

// The language to speak a text in, for text whose language nobody told us (a question as it is typed).
export function langOf(text) {
  return /\p{Script=Han}/u.test(text) ? "zh" : "en";
}
