// Text of tabs that are gone before it was kept: it goes into the outbox, so that it is sent without its note being opened again.

import { keepEdit } from "./outbox.js";
import { allUnsaved, forgetUnsaved, unsavedOf } from "./unsaved.js";

export async function collectUnsaved() {
  // Without the browser's locks nobody knows which tab still writes.
  if (!navigator.locks) return;
  for (const kept of allUnsaved()) {
    await navigator.locks.request(`cortex.note.${kept.key}`, { ifAvailable: true }, async (lock) => {
      const now = lock && unsavedOf(kept.key);
      if (!now) return;
      await keepEdit(now, now.note, now.base, now.changeId);
      forgetUnsaved(now.key);
    });
  }
}
