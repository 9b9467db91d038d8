// Caches the page for use without a network. All files of one version are cached together, under a hash of them all, and a newer
// version waits until the player wants it: a page is never half old and half new.
/// <reference lib="webworker" />
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SHELF = "adjutant-__VERSION__";
const FILES = ["./", "__FILES__"];
/** Cached when it is first used, or when the page has started: a first visit does not wait for it. The page checks its hash. */
const LATER = "workshop.wasm";

worker.addEventListener("install", (event) => {
  // Not from the browser's HTTP cache, which may have older files.
  event.waitUntil(caches.open(SHELF).then((shelf) => shelf.addAll(FILES.map((file) => new Request(file, { cache: "reload" })))));
});

worker.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith("adjutant-") && name !== SHELF));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => worker.clients.claim()));
});

worker.addEventListener("message", (event) => {
  if (event.data === "take over") worker.skipWaiting();
  if (event.data === "fetch later files") event.waitUntil(later(new Request(LATER)).catch(() => {}));
});

worker.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const place = new URL("./", worker.location.href);
  if (event.request.method !== "GET" || url.origin !== place.origin || !url.pathname.startsWith(place.pathname)) return;
  const file = url.pathname.slice(place.pathname.length);
  if (file === LATER) {
    event.respondWith(later(event.request));
    return;
  }
  const known = file === "" || file === "index.html" ? "./" : FILES.includes(file) ? file : null;
  if (known === null) return;
  event.respondWith(caches.open(SHELF).then((shelf) => shelf.match(known)).then((kept) => kept ?? fetch(event.request)));
});

/** @param {Request} request @returns {Promise<Response>} */
async function later(request) {
  const shelf = await caches.open(SHELF);
  const kept = await shelf.match(LATER);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await shelf.put(LATER, response.clone());
  return response;
}
