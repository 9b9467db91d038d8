// Keeps the page for when there is no network. All files of one version are kept together, under a fingerprint over
// them all, and a newer version waits until the player takes it: no page is ever half old and half new.
/// <reference lib="webworker" />
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SHELF = "adjutant-__VERSION__";
const FILES = ["./", "__FILES__"];

worker.addEventListener("install", (event) => {
  // Past the browser's own cache, so that the files are those of this version.
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
