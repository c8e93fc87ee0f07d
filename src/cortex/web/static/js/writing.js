// What is needed once a hand is on the text, and not before: keys, tools, the completion list.

import { offersFor } from "./complete-names.js";
import { Completion } from "./completion.js";
import { editorKeys } from "./editor-keys.js";
import { editorTools } from "./editor-tools.js";

// `on` is {composing, save, read, tagged(name)}.
export function startWriting(field, { composing, save, read, tagged }) {
  const completion = new Completion(field, { offers: offersFor, composing, chosen: (_, offer) => offer.tag && tagged(offer.tag) });
  editorKeys(field, { completion, composing, save, read });
  editorTools(field);
}
