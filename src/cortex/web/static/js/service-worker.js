// The service worker, from the page's side: registered, let go where the server has none, and never exchanged under a person who reads.

const mine = document.body.dataset.version;

// `newer(reload)` hears of a version that is there and waits until it is wanted.
export async function registerWorker(newer) {
  if (!("serviceWorker" in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
    registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", () => look(registration, newer)));
    look(registration, newer);
    if (registration.active) await registration.update();
  } catch {
    await leaveIfUnwanted();
  }
}

// This browser keeps no pages any more.
export async function removeWorker() {
  if (!("serviceWorker" in navigator)) return;
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  for (const name of await caches.keys()) if (name.startsWith("cortex-")) await caches.delete(name);
}

async function look({ waiting }, newer) {
  if (!waiting || !navigator.serviceWorker.controller) return;
  // This page came from the server in that version already.
  if ((await versionOf(waiting)) === mine) return waiting.postMessage("take over if alone");
  newer(() => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    waiting.postMessage("take over");
  });
}

function versionOf(worker) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((settle) => {
    port1.onmessage = ({ data }) => settle(data);
    worker.postMessage("version", [port2]);
  });
}

async function leaveIfUnwanted() {
  const response = await fetch("/sw.js", { cache: "no-store" }).catch(() => null);
  if ([404, 410].includes(response?.status)) await removeWorker();
}
