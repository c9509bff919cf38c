/// <reference path="../../../types/service-worker.d.ts" />
// The service worker: stores the files of one version of the web app, and serves them. The server writes APP above.
// It never stores answers of the API: what people have written is in the databases of the page and of the server.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));
const PREFIX = "backbench-app-";
const NAME = PREFIX + APP.version;

/** Either every file of the version is stored, or the installation fails and the browser tries again later. */
const storeFiles = async () => {
  const cache = await caches.open(NAME);
  await cache.addAll(APP.files);
};

const deleteOtherVersions = async () => {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(others.map((name) => caches.delete(name)));
};

/**
 * The stored answer to a request for a file of the app, else the server's.
 * @param {Request | string} request
 */
const stored = async (request) => {
  const cache = await caches.open(NAME);
  return (await cache.match(request, { ignoreVary: true })) ?? fetch(request);
};

/**
 * A file that the app loads only where it is needed; stored when it is.
 * @param {Request} request
 */
const storedOnUse = async (request) => {
  const cache = await caches.open(NAME);
  const found = await cache.match(request, { ignoreVary: true });
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
};

/**
 * Whether the path is that of a screen of the app, and no file, page or operation of the server.
 * @param {string} path
 */
const isScreen = (path) => !path.includes(".") && !APP.online.some((start) => path.startsWith(start));

worker.addEventListener("install", (event) => event.waitUntil(storeFiles()));

worker.addEventListener("activate", (event) => {
  event.waitUntil(deleteOtherVersions().then(() => worker.clients.claim()));
});

// A new version waits until the page says that nobody is in the middle of something.
worker.addEventListener("message", (event) => {
  if (event.data === "take-over") worker.skipWaiting();
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith(APP.shell)) event.respondWith(storedOnUse(request));
  else if (request.mode === "navigate" && isScreen(url.pathname)) event.respondWith(stored(APP.shell));
});
