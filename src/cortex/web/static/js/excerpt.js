// The first words of a text, without the marks of Markdown.

const CARD = 140;

// Cut between graphemes: an emoji is never halved.
export function excerpt(text, most = CARD) {
  const flat = text.replace(/^\s*(?:#+|[-*+>]|\d+[.)])\s+|^\s*(?:```|~~~).*$|^[\s|:-]+$/gm, "").replace(/[*`]+|!?\[\[|\]\]/g, "").replace(/\|/g, " ").replace(/\s+/g, " ").trim();
  if (flat.length <= most) return flat;
  const graphemes = [...new Intl.Segmenter().segment(flat.slice(0, most * 4))];
  // Not in the middle of a word, where words have spaces between them.
  return graphemes.length <= most ? flat : `${graphemes.slice(0, most).map((part) => part.segment).join("").replace(/\s\S{0,20}$/, "")}…`;
}

// A passage at the start of its note opens with the title, which the card says already.
export function withoutTitle(text, title) {
  const [, first, rest] = /^#*\s*(.*)\n?([\s\S]*)$/.exec(text);
  return first.trim() === title.trim() && rest.trim() ? rest : text;
}
