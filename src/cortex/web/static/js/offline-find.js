// A plain search by words over the notes of this device: no meaning, no other language.

const EXCERPT = 160;
const WORTH = 0.4;
const PARTS = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu;
const HAN = /^\p{Script=Han}/u;

const plain = (text) => text.normalize("NFKC").toLowerCase();

// The words of a text, each once; of Chinese every two characters that stand together. A single one counts only where there is nothing else.
export function wordsIn(text) {
  const parts = plain(text).match(PARTS) ?? [];
  const all = parts.flatMap((part) => (HAN.test(part) ? pairsOf([...part]) : [part]));
  const long = all.filter((word) => word.length > 1);
  return [...new Set(long.length ? long : all)];
}

const pairsOf = (characters) => (characters.length < 3 ? [characters.join("")] : characters.slice(1).map((character, n) => characters[n] + character));

// Notes that hold every word, as one types: the last one may be half written.
export function holdsAll(note, typed) {
  const text = plain(`${note.title}\n${note.body}\n${(note.tags ?? []).join(" ")}`);
  return plain(typed).split(/\s+/).filter(Boolean).every((part) => text.includes(part) || wordsIn(part).every((word) => at(text, word) >= 0));
}

// Notes that hold some of a question's words, best first: rare words weigh more, those of a title twice.
export function bestOf(notes, question, most) {
  const asked = wordsIn(question);
  const texts = notes.map((note) => ({ note, title: plain(note.title), body: plain(note.body) }));
  const weights = new Map(asked.map((word) => [word, Math.log(1 + notes.length / (1 + texts.filter(({ title, body }) => at(title, word) >= 0 || at(body, word) >= 0).length))]));
  const scored = texts.map(({ note, title, body }) => {
    const held = asked.filter((word) => at(title, word) >= 0 || at(body, word) >= 0);
    return { note, held, score: held.reduce((sum, word) => sum + weights.get(word) * (at(title, word) >= 0 ? 2 : 1), 0) };
  }).filter(({ score }) => score > 0).sort((one, other) => other.score - one.score || (one.note.updated_at < other.note.updated_at ? 1 : -1));
  return scored.filter(({ score }) => score >= scored[0].score * WORTH).slice(0, most).map(({ note, held }) => ({ note, held, excerpt: around(note.body, held, weights) }));
}

// The words around the rarest one that the text holds.
function around(body, held, weights) {
  const text = body.replace(/\s+/g, " ");
  const folded = plain(text);
  const places = held.map((word) => [at(folded, word), weights.get(word)]).filter(([place]) => place >= 0).sort((one, other) => other[1] - one[1]);
  // NFKC may have moved the place a little: it is an excerpt, not an offset.
  const from = Math.max(0, (places[0]?.[0] ?? 0) - EXCERPT / 4);
  const start = from === 0 ? 0 : text.indexOf(" ", from) + 1 || from;
  const found = [...text.slice(start < from + 20 ? start : from, from + EXCERPT)].join("");
  return `${from > 0 ? "…" : ""}${found.trim()}${from + EXCERPT < text.length ? "…" : ""}`;
}

// Where a word begins; a Latin one only at a word's beginning, and with or without its last s.
function at(text, word) {
  if (!/^[\p{Script=Latin}\p{N}]/u.test(word)) return text.indexOf(word);
  const stem = word.length > 3 ? word.replace(/s$/, "") : word;
  for (let place = text.indexOf(stem); place >= 0; place = text.indexOf(stem, place + 1)) {
    if (place === 0 || !/[\p{Script=Latin}\p{N}]/u.test(text[place - 1])) return place;
  }
  return -1;
}
