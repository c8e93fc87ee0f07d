// Strings, numbers and plurals of the page's language. No other module holds a sentence.

export const lang = document.documentElement.lang === "zh" ? "zh" : "en";

// The page brings the strings that its modules name.
const catalogue = JSON.parse(document.getElementById("strings").textContent);
const plurals = new Intl.PluralRules(lang);
const numbers = new Intl.NumberFormat(lang);

export function t(key, values = {}) {
  const entry = catalogue[key];
  if (entry === undefined) return key;
  const text = typeof entry === "string" ? entry : entry[plurals.select(values.n ?? 0)] ?? entry.other;
  return text.replace(/\{(\w+)\}/g, (slot, name) => (name in values ? shown(values[name]) : slot));
}

export const keys = Object.keys(catalogue);

export function has(key) {
  return key in catalogue;
}

function shown(value) {
  return typeof value === "number" ? numbers.format(value) : String(value);
}

// The language to speak a text in: notes mix both, so each title, sentence and quote is looked at by itself.
export function langOf(text, otherwise = lang) {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/\p{Script=Latin}+/gu)?.length ?? 0;
  if (han + words === 0) return otherwise;
  return han > words * 1.5 ? "zh" : "en";
}
