// Where a place in a textarea's text is on the screen. A textarea does not tell, so a copy of it is laid out out of sight.

const LIKE = ["boxSizing", "width", "paddingTop", "paddingRight", "paddingBottom", "paddingLeft", "borderTopWidth", "borderLeftWidth", "borderRightWidth",
  "fontFamily", "fontSize", "fontWeight", "lineHeight", "letterSpacing", "tabSize", "textAutospace", "lineBreak", "overflowWrap", "wordBreak", "textSpacingTrim"];

// {left, top, bottom} in the window.
export function caretPlace(field, place) {
  const style = getComputedStyle(field);
  const copy = document.createElement("div");
  for (const name of LIKE) copy.style[name] = style[name];
  Object.assign(copy.style, { position: "absolute", visibility: "hidden", top: "0", left: "0", whiteSpace: "pre-wrap", borderStyle: "solid", width: `${field.clientWidth}px` });
  copy.lang = field.lang;
  const mark = document.createElement("span");
  mark.append("\u200b");
  copy.append(field.value.slice(0, place), mark, field.value.slice(place, place + 200));
  document.body.append(copy);
  const [inside, at] = [copy.getBoundingClientRect(), mark.getBoundingClientRect()];
  copy.remove();
  const box = field.getBoundingClientRect();
  const top = box.top + at.top - inside.top - field.scrollTop;
  return { left: box.left + at.left - inside.left, top, bottom: top + at.height };
}
