// Ids: UUIDs of version 7, which sort by time, and ids of things that the server does not have yet.

const LOCAL = "local-";

/**
 * A UUIDv7. Made from random values, because a page without https has no `crypto.randomUUID`.
 * @param {number} [now] milliseconds
 */
export function newId(now = Date.now()) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const time = BigInt(now).toString(16).padStart(12, "0");
  for (let at = 0; at < 6; at += 1) bytes[at] = parseInt(time.slice(2 * at, 2 * at + 2), 16);
  const view = new DataView(bytes.buffer);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    "-",
  );
}

/** The id of a thing until the server has answered its creation. */
export function localId() {
  return LOCAL + newId();
}

/** @param {string} id */
export function isLocal(id) {
  return id.startsWith(LOCAL);
}
