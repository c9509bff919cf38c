// Delivery: sends one waiting change so that it takes effect once, whatever answers were lost.

import { isProblem, Problem } from "../../api/problems.js";
import { BYTES } from "../../local/memory.js";
import { compared, mutation } from "./mutations.js";
import { enqueue, isConflict } from "./queue.js";
import { readObject } from "./pull.js";
import { replacement } from "./replica.js";
import { same } from "./values.js";

/** @typedef {import("../../api/client.js").Send} Send */
/** @typedef {import("../../api/client.js").Answer<any>} Answer */
/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("../../local/memory.js").Kind} Kind */
/** @typedef {import("../../local/memory.js").StoredObject} StoredObject */
/** @typedef {import("./replica.js").Replica} Replica */
/** @typedef {{replica: Replica, send: Send}} Context */

// Another write came first each time: the change is tried again later.
const MAX_ROUNDS = 5;

/**
 * Sends a change. It is gone from the queue when the server has it, and stays there if it is in conflict.
 * Throws Problem.
 * @param {Context} context
 * @param {Item} item
 */
export async function deliver(context, item) {
  const { way } = mutation(item.op);
  if (way === "fields") await conditionally(context, item, fieldsBody);
  else if (way === "list") await conditionally(context, item, listBody);
  else if (way === "delete" || way === "remove") await remove(context, item);
  else if (way === "upload") await upload(context, item);
  else await once(context, item);
}

/** By its key, too. It may be taken back meanwhile. @param {Context} context @param {Item} item */
async function upload(context, item) {
  const { replica, send } = context;
  const bytes = await replica.ownFact(BYTES + item.key);
  if (!replica.item(item.key)) return;
  // Such as of a page that could not store them, and was closed.
  if (!bytes) throw new Problem(410, "lost");
  const { method, path, body } = mutation(item.op).request(item);
  await markSent(context, item);
  const answer = await send(method, path, { form: formOf(body, item.key, bytes), key: item.key });
  const object = await answered(context, item, answer);
  const isDropped = !replica.item(item.key);
  await replica.commit({
    ...acknowledged(item, object),
    items: renamed(replica, item, item.args.photoId, answer.data.id),
  });
  if (!isDropped) return;
  const { key: added, objectId, workshopId } = item;
  const args = { photoId: answer.data.id, added };
  enqueue(replica, { op: "orderPhotos.delete", objectId, workshopId, args });
}

/** @param {any} fields @param {string} name @param {Blob} bytes */
function formOf(fields, name, bytes) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) if (value !== "") form.set(field, String(value));
  form.set("file", bytes, `${name}.jpg`);
  return form;
}

/** By its key: a repetition returns the first answer. @param {Context} context @param {Item} item */
async function once(context, item) {
  const { way, request } = mutation(item.op);
  const base = context.replica.base(item.kind, item.objectId);
  if (way === "move" && !item.isSent && base?.value.status === item.args.status) {
    return context.replica.commit({ dropped: [item.key] });
  }
  const { method, path, body } = request(item);
  await markSent(context, item);
  const answer = await context.send(method, path, { body, key: item.key });
  // The answer to an addition may be the part that was added.
  const id = way === "create" ? answer.data.id : item.objectId;
  const object = await answered(context, { ...item, objectId: id }, answer);
  const next = context.replica.item(item.key) ?? item;
  return context.replica.commit(
    way === "create" ? creation(context, next, id, object) : acknowledged(next, object),
  );
}

/** The object after an answer: the first one may be older than what the server has now. @param {Context} context @param {Item} item @param {Answer} answer */
async function answered(context, item, answer) {
  const isReplayed = answer.headers.get("Idempotency-Replayed") === "true";
  return isReplayed ? await read(context, item, item.objectId) : objectOf(context, item, answer);
}

/** @param {Context} context @param {Item} item @param {string} id @param {StoredObject | null} object */
function creation({ replica }, item, id, object) {
  return {
    ...acknowledged({ ...item, objectId: id }, object),
    items: renamed(replica, item, item.objectId, id),
    facts: replacement(item.objectId, id),
  };
}

/** The other changes that name what an answered change has made: its local id is replaced everywhere. @param {Replica} replica @param {Item} item @param {string} from @param {string} to */
function renamed(replica, item, from, to) {
  const others = replica.items.peek().filter(({ key }) => key !== item.key);
  const changed = others.map((other) => replaceText(other, from, to));
  return changed.filter((other, at) => !same(other, others[at]));
}

/**
 * With If-Match. Reads first if the server's object is not known exactly, or if an earlier request may have arrived
 * without its answer and changed the ETag: what is done already is not sent again.
 * @param {Context} context
 * @param {Item} item
 * @param {(object: any, item: Item) => unknown} bodyOf undefined: there is nothing to send
 */
async function conditionally(context, item, bodyOf) {
  let mustRead = item.isSent;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const known = context.replica.base(item.kind, item.objectId);
    const entry = mustRead || !known?.etag ? await readKnown(context, item) : known;
    if (isConflict(context.replica, item)) return;
    const body = bodyOf(entry.value, item);
    if (body === undefined) return await context.replica.commit(acknowledged(item, null, true));
    await markSent(context, item);
    try {
      const { method, path } = mutation(item.op).request(item);
      const answer = await context.send(method, path, { body, ifMatch: entry.etag });
      forgetTag(context, item);
      return await context.replica.commit(acknowledged(item, objectOf(context, item, answer)));
    } catch (error) {
      if (!isProblem(error) || error.status !== 412) throw error;
      mustRead = true;
    }
  }
  throw new Problem(500, "busy");
}

/**
 * An estimate is shown with its document: after a change of that its own tag is another. Not stored, nor told other pages,
 * which may have a newer estimate by now.
 * @param {Context} context @param {Item} item
 */
function forgetTag({ replica }, { kind, objectId }) {
  const estimate = kind === "document" && replica.base("estimate", objectId);
  if (estimate) replica.preview([{ ...estimate, etag: null }]);
}

/** @param {any} object @param {Item} item */
function fieldsBody(object, item) {
  const { apply, body } = mutation(item.op);
  const fields = compared(object, item);
  if (!fields) throw new Problem(404, "404");
  if (fields.every(({ isMine }) => isMine)) return undefined;
  return body ? body(apply(object, item.args, item)) : item.args.fields;
}

/** @param {any} object @param {Item} item */
function listBody(object, item) {
  const { apply, body, list = "", target } = mutation(item.op);
  if (target && !target(object, item.args)) throw new Problem(404, "404");
  const next = apply(object, item.args, item);
  if (same(next[list], object[list])) return undefined;
  return body ? body(next) : { [list]: next[list] };
}

/** @param {Context} context @param {Item} item */
async function remove(context, item) {
  const { method, path } = mutation(item.op).request(item);
  const isWhole = mutation(item.op).way === "delete";
  await markSent(context, item);
  try {
    const answer = await context.send(method, path);
    const object = isWhole ? null : objectOf(context, item, answer);
    await context.replica.commit(acknowledged(item, object));
  } catch (error) {
    // Somebody deleted it before, or the answer to an earlier request was lost.
    if (!isProblem(error) || error.status !== 404) throw error;
    const object = isWhole ? null : await read(context, item, item.objectId);
    await context.replica.commit(acknowledged(item, object));
  }
}

/** Stored before the request leaves: after a crash it is known that it may have arrived. @param {Context} context @param {Item} item */
async function markSent({ replica }, item) {
  if (!item.isSent) await replica.commit({ items: [{ ...item, isSent: true }] });
}

/** @param {Item} item @param {StoredObject | null} object null: the object is gone, or with `isSame` unchanged @param {boolean} [isSame] */
function acknowledged(item, object, isSame = false) {
  /** @type {import("../../local/memory.js").Write} */
  const change = { dropped: [item.key] };
  if (object) change.objects = [object];
  else if (!isSame) change.removed = [[item.kind, item.objectId]];
  return change;
}

/** @param {Context} context @param {Item} item @param {Answer} answer @returns {StoredObject} */
function objectOf({ replica }, { op, kind, objectId, workshopId, args }, { data, etag }) {
  const { taken } = mutation(op);
  const object = { kind, id: objectId, workshopId };
  if (!taken) return { ...object, value: data, etag };
  return { ...object, value: taken(data, replica.base(kind, objectId)?.value, args), etag: null };
}

/** The object as the server has it, or null. @param {Context} context @param {Pick<Item, "kind" | "workshopId">} item @param {string} id */
async function read(context, item, id) {
  try {
    return await readObject(context, item, id);
  } catch (error) {
    if (isProblem(error) && error.status === 404) return null;
    throw error;
  }
}

/** @param {Context} context @param {Item} item */
async function readKnown(context, item) {
  const object = await readObject(context, item, item.objectId);
  await context.replica.commit({ objects: [object] });
  return object;
}

/** The value with every text equal to `from` replaced by `to`. @param {any} value @param {string} from @param {string} to @returns {any} */
function replaceText(value, from, to) {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((entry) => replaceText(entry, from, to));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, replaceText(entry, from, to)]),
  );
}
