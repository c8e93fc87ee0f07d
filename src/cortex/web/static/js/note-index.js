// Whether a saved note can be found yet: asked a few times after a save, and said where it could not be read.

import * as store from "./note-store.js";

const LOOKS_MS = [3000, 10_000, 30_000, 90_000];
let timer = 0;

export function watchIndex(note, notices, list, looks = LOOKS_MS) {
  clearTimeout(timer);
  const again = async () => {
    notices.ofIndex(null);
    await store.indexAgain(note.id).catch(() => {});
    watchIndex({ ...note, index: { state: "waiting" } }, notices, list);
  };
  notices.ofIndex(note.index, again);
  list.indexed(note);
  if (note.index?.state !== "waiting" || looks.length === 0) return;
  timer = setTimeout(async () => {
    const now = await store.get(note.id).catch(() => null);
    if (now?.version === note.version) watchIndex(now, notices, list, looks.slice(1));
  }, looks[0]);
}
