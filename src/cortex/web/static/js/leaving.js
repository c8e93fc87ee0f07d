// A page may be gone at any moment: what is typed is kept first, then sent if the browser still takes it.

import { newKey } from "./new-key.js";
import { keepsHere, save as saveNote } from "./note-store.js";

// A browser sends 64 KB for a page that is being left; a character may be three bytes, and a change holds the text before it too.
const LEAVING = 20_000;

// `save` is the Autosave; `send(text, how)` its way to Cortex where this device keeps nothing.
export function watchLeaving(save, send) {
  const again = () => save.state === "waiting" && save.flush();
  addEventListener("online", again);
  document.addEventListener("visibilitychange", () => (document.hidden ? hidden(save, send) : again()));
  addEventListener("pagehide", () => leave(save, send));
  addEventListener("beforeunload", (event) => save.problem && save.dirty && event.preventDefault());
}

function hidden(save, send) {
  if (!keepsHere()) leave(save, send);
  else if (save.note) save.flush();
}

function leave(save, send) {
  if (!save.note || !save.dirty) return;
  const { text } = save;
  if (!keepsHere()) {
    save.keep();
    if (!save.busy && !save.held && text.body.length < LEAVING) send(text, { leaving: true });
    return;
  }
  // Under one id, here and on its way: if the next page finds it here, it is not applied twice.
  const changeId = newKey();
  save.keep(changeId);
  if (save.busy || save.held || save.waits || text.body.length + save.base.body.length > LEAVING) return;
  saveNote(save.note, text, { from: save.base, leaving: true, changeId });
}
