// The service worker: the pages and their files when Cortex cannot be reached. Pages come from Cortex while it answers, files from the cache
// of their own version. What the API says is never kept. Served as /sw.js, below a line that says what this version is made of.

const { version, files, pages, langs } = self.SHELL;
const MINE = `cortex-${version}`;
const OTHERS = "cortex-pages"; // of which version a page is that is not of this one
const HEADER = "Cortex-Version";
const PATIENCE_MS = 5000;

self.addEventListener("install", (event) => {
  // What is never kept does not wait for this worker either.
  for (const pathname of ["/api/*", "/health/*"]) event.addRoutes?.({ condition: { urlPattern: new URLPattern({ pathname }) }, source: "network" });
  event.waitUntil(keepAll());
});
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("message", (event) => event.waitUntil(told(event)));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate" && pages.includes(shapeOf(url))) event.respondWith(page(event, url));
  else if (url.pathname.startsWith("/static/")) event.respondWith(file(event));
});

// One cache holds one version, whole: files first, then every page in each language, which say whether it is still that version.
async function keepAll() {
  const cache = await caches.open(MINE);
  await cache.addAll(files.map((path) => new Request(path, { cache: "no-cache" })));
  for (const lang of langs) {
    await Promise.all(pages.map(async (shape) => {
      // Without the cookie of a choice, so that each language can be had.
      const response = await fetch(shape, { credentials: "omit", cache: "no-cache", headers: { "Accept-Language": lang, Accept: "text/html" } });
      if (!response.ok || response.headers.get(HEADER) !== version) throw new TypeError(shape);
      await cache.put(kept(shape, lang), response);
    }));
  }
}

async function takeOver() {
  for (const name of await caches.keys()) if (name.startsWith("cortex-") && name !== MINE) await caches.delete(name);
  await self.clients.claim();
}

async function told({ data, ports }) {
  if (data === "version") ports[0].postMessage(version);
  if (data === "take over") await self.skipWaiting();
  // A page of this very version is open, and no other: nothing changes under anybody.
  if (data === "take over if alone" && (await self.clients.matchAll({ type: "window", includeUncontrolled: true })).length <= 1) await self.skipWaiting();
}

async function page(event, url) {
  const cache = await caches.open(MINE);
  try {
    const response = await inTime(fetch(event.request));
    // A proxy whose Cortex is away.
    if (response.status >= 502) throw new TypeError(response.statusText);
    await remember(event, cache, response);
    return response;
  } catch {
    const said = url.searchParams.get("lang");
    const lang = langs.includes(said) ? said : ((await (await cache.match("lang"))?.text()) ?? langOfBrowser());
    return (await cache.match(kept(shapeOf(url), lang))) ?? Response.error();
  }
}

// Which language is read, and which version this page is of. One without a version is not from a Cortex that knows of this worker.
async function remember({ resultingClientId: id }, cache, response) {
  if (!response.ok) return;
  const of = response.headers.get(HEADER);
  if (of === null && (await leftAsUnwanted())) return;
  if (of !== version) await (await caches.open(OTHERS)).put(`/${id}`, new Response(of ?? ""));
  const lang = response.headers.get("Content-Language");
  if (lang) await cache.put("lang", new Response(lang));
}

async function file({ request, clientId }) {
  const other = (await caches.has(OTHERS)) ? await (await (await caches.open(OTHERS)).match(`/${clientId}`))?.text() : undefined;
  const name = other === undefined ? MINE : `cortex-${other}`;
  const found = (await caches.has(name)) && (await (await caches.open(name)).match(request, { ignoreSearch: true }));
  return found || fetch(request);
}

// The server says that there is no such worker (an older one, or not Cortex): it is gone, and so is what it kept.
async function leftAsUnwanted() {
  const { status } = await fetch("/sw.js", { cache: "no-store" });
  if (![404, 410].includes(status)) return false;
  await self.registration.unregister();
  for (const name of await caches.keys()) if (name.startsWith("cortex-")) await caches.delete(name);
  return true;
}

// Every note has the same page: /notes/12 is kept as /notes/0.
const shapeOf = (url) => url.pathname.replace(/\/\d+(?=\/|$)/g, "/0");
const kept = (shape, lang) => `${shape}?lang=${lang}`;
const langOfBrowser = () => self.navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => langs.includes(tag)) ?? langs[0];

function inTime(answer) {
  return Promise.race([answer, new Promise((_, refuse) => setTimeout(() => refuse(new TypeError("late")), PATIENCE_MS))]);
}
