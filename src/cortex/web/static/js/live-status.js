// The one polite live region: short facts for screen readers ("3 sources", "Answer ready"), never the answer itself.

import { by } from "./dom.js";

export function announce(text) {
  by("announcer").textContent = text;
}
