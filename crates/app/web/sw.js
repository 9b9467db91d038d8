// The service worker: caches the page for offline use. All files of one version are cached together, under a hash of
// them all. A newer version waits until the player accepts it, so a page never mixes two versions.
/// <reference lib="webworker" />
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SHELF = "adjutant-__VERSION__";
const FILES = ["./", "__FILES__"];

worker.addEventListener("install", (event) => {
  // Bypass the HTTP cache, so that the files are those of this version.
  event.waitUntil(caches.open(SHELF).then((shelf) => shelf.addAll(FILES.map((file) => new Request(file, { cache: "reload" })))));
});

worker.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith("adjutant-") && name !== SHELF));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => worker.clients.claim()));
});

worker.addEventListener("message", (event) => {
  if (event.data === "take over") worker.skipWaiting();
});

worker.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const place = new URL("./", worker.location.href);
  if (event.request.method !== "GET" || url.origin !== place.origin || !url.pathname.startsWith(place.pathname)) return;
  const file = url.pathname.slice(place.pathname.length);
  const known = file === "" || file === "index.html" ? "./" : FILES.includes(file) ? file : null;
  if (known === null) return;
  event.respondWith(caches.open(SHELF).then((shelf) => shelf.match(known)).then((kept) => kept ?? fetch(event.request)));
});
