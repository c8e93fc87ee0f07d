// Whether an Enter belongs to an input method. Safari ends the composition before that keydown, with keyCode 229.

export function watchComposition(field) {
  let composing = false;
  field.addEventListener("compositionstart", () => (composing = true));
  field.addEventListener("compositionend", () => (composing = false));
  return (event) => composing || event.isComposing || event.keyCode === 229;
}
