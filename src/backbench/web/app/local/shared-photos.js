// Shared photos: what another app handed over by the share sheet, which the service worker has stored.

const CACHE = "backbench-shared";

/** @returns {Promise<Blob[]>} */
export async function sharedPhotos() {
  if (typeof caches === "undefined") return [];
  const cache = await caches.open(CACHE);
  const requests = await cache.keys();
  const stored = await Promise.all(requests.map((request) => cache.match(request)));
  return await Promise.all(stored.flatMap((response) => response ? [response.blob()] : []));
}

export async function forgetSharedPhotos() {
  if (typeof caches !== "undefined") await caches.delete(CACHE);
}
