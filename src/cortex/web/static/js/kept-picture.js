// A picture that waits on this device to be sent: shown from here, as data. Only kinds that hold no program.

import { keptFile } from "./offline-store.js";

const SHOWN = /^image\/(?:png|jpeg|gif|webp|avif)$/;

// Its data: URL, or null.
export async function keptPicture(address) {
  const hash = /\/([0-9a-f]{64})(?:\?|$)/.exec(address)?.[1];
  const file = hash && (await keptFile(hash).catch(() => null));
  if (!file || !SHOWN.test(file.type)) return null;
  return new Promise((settle) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => settle(reader.result));
    reader.addEventListener("error", () => settle(null));
    reader.readAsDataURL(new Blob([file.blob], { type: file.type }));
  });
}
