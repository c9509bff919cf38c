// Reading: one object from the server.

import { KINDS } from "../../domain/kinds.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("../../local/memory.js").StoredObject} StoredObject */

/** @param {{send: import("../../api/client.js").Send}} context @param {Pick<Item, "kind" | "workshopId">} item @param {string} id @returns {Promise<StoredObject>} */
export async function readObject({ send }, { kind, workshopId }, id) {
  const { path, read } = KINDS[kind];
  const { data, etag } = await send("GET", path(id));
  const value = read ? read(data) : data;
  return { kind, id, workshopId: workshopId || value.workshopId, value, etag };
}
