/// <reference path="../../../types/service-worker.d.ts" />
// The service worker: stores the files of one version of the web app, and serves them; shows push messages. The server
// writes APP above.
// It never stores answers of the API: what people have written is in the databases of the page and of the server.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));
const PREFIX = "backbench-app-";
const NAME = PREFIX + APP.version;

/** Either every file of the version is stored, or the installation fails and the browser tries again later. */
const storeFiles = async () => {
  const cache = await caches.open(NAME);
  await cache.addAll(APP.files);
};

/** Once no page is open that may be of another version: such a page loads its files until it is closed. */
const deleteOtherVersions = async () => {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.length > 1) return;
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(others.map((name) => caches.delete(name)));
};

/**
 * The page of the app; where the browser has emptied the cache, that of the server, which may have another version.
 * @param {Request} request
 */
const shell = async (request) => {
  const cache = await caches.open(NAME);
  return (await cache.match(APP.shell, { ignoreVary: true })) ?? fetch(request);
};

/**
 * A file of this version, or of that of a page which has not taken this one yet. What the app loads only where it is needed
 * is stored when it is.
 * @param {Request} request
 */
const storedOnUse = async (request) => {
  const found = await caches.match(request, { ignoreVary: true });
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(NAME)).put(request, answer.clone());
  return answer;
};

/**
 * A page of the help: the server's, or without a connection what was read before.
 * @param {Request} request
 */
const freshOrStored = async (request) => {
  const cache = await caches.open("backbench-help");
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const found = await cache.match(request, { ignoreVary: true });
    if (found) return found;
    throw error;
  }
};

/**
 * Whether a form comes from the browser itself, as what another app shares does, or from this site: neither has the origin
 * or the address of another site.
 * @param {Request} request
 */
const isOwn = ({ headers, referrer }) => {
  const origins = [headers.get("Origin"), referrer && new URL(referrer, location.origin).origin];
  return origins.every((origin) => !origin || origin === "null" || origin === location.origin);
};

/**
 * Stores photos that another app shares, for the screen that asks for their order. Without a connection, too.
 * @param {Request} request
 */
const takeShared = async (request) => {
  if (!isOwn(request)) return Response.redirect("/", 303);
  const cache = await caches.open("backbench-shared");
  const files = (await request.formData()).getAll("photos");
  const photos = files.filter((file) => typeof file !== "string");
  await Promise.all(photos.map((file, at) => cache.put(`/share/${Date.now()}-${at}`, new Response(file))));
  return Response.redirect("/share", 303);
};

/**
 * Whether the path is that of a screen of the app, and no file, page or operation of the server.
 * @param {string} path
 */
const isScreen = (path) => !path.includes(".") && !APP.online.some((start) => path.startsWith(start));

/**
 * Shows a push message: a declarative one, which browsers that know these show without the worker. Every message has to
 * show something, or the browser ends the subscription.
 * @param {PushMessageData | null} data
 */
const showMessage = async (data) => {
  const text = data?.text() ?? "";
  const { title, navigate = "/", ...rest } = text ? JSON.parse(text).notification : { title: "Backbench" };
  const icon = "/icons/192.png";
  await worker.registration.showNotification(title, { ...rest, icon, renotify: true, data: navigate });
};

/** How long a page may take to show another screen before it is loaded there, in milliseconds. */
const PATIENCE = 1_000;

/**
 * Whether the page of the app shows the screen by itself: what is typed in it stays.
 * @param {WindowClient} page
 * @param {string} path
 */
const isShown = (page, path) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), PATIENCE);
    page.postMessage({ type: "show", path }, [port2]);
  });

/**
 * Opens the screen of a message: in a page of the app that is open, else in a new one.
 * @param {string} address
 */
const openScreen = async (address) => {
  // The app may be open under another address than the server's public one.
  const { pathname } = new URL(address, location.origin);
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const ofApp = pages.filter(({ url }) => isScreen(new URL(url).pathname));
  const page = ofApp.find(({ visibilityState }) => visibilityState === "visible") ?? ofApp[0];
  if (!page) return void (await worker.clients.openWindow(pathname));
  await page.focus();
  if (!await isShown(page, pathname)) await page.navigate(pathname);
};

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
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && url.pathname === "/share") event.respondWith(takeShared(request));
  if (request.method !== "GET") return;
  if (url.pathname.startsWith("/help")) event.respondWith(freshOrStored(request));
  else if (url.pathname.startsWith("/app/")) event.respondWith(storedOnUse(request));
  else if (request.mode === "navigate" && isScreen(url.pathname)) event.respondWith(shell(request));
});

worker.addEventListener("push", (event) => event.waitUntil(showMessage(event.data)));

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openScreen(event.notification.data));
});
