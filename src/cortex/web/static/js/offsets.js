// Offsets of the API count code points, as Python does; JavaScript strings count UTF-16 units. An emoji is one and two.

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

// The UTF-16 index of each code point offset; `offsets` ascending.
export function unitsAt(text, offsets) {
  if (!PAIR.test(text)) return offsets.map((offset) => Math.min(offset, text.length));
  const found = [];
  let unit = 0;
  let point = 0;
  for (const offset of offsets) {
    while (point < offset && unit < text.length) {
      unit += text.codePointAt(unit) > 0xffff ? 2 : 1;
      point += 1;
    }
    found.push(unit);
  }
  return found;
}

export function slicePoints(text, start, end) {
  const [from, to] = unitsAt(text, [start, end]);
  return text.slice(from, to);
}
