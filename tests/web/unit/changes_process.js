// What the app shows while a change waits, how it sends it, and what it sends again where the answer was lost: for the
// comparison with what the server makes of it.

import { Problem } from "../../../src/backbench/web/app/api/problems.js";
import { KINDS } from "../../../src/backbench/web/app/domain/kinds.js";
import { stageOf } from "../../../src/backbench/web/app/domain/stages.js";
import { memoryLocal } from "../../../src/backbench/web/app/local/memory.js";
import * as core from "../../../src/backbench/web/app/state/sync/core.js";
import { deliver } from "../../../src/backbench/web/app/state/sync/delivery.js";
import { applied, conflictsOf, mutation } from "../../../src/backbench/web/app/state/sync/mutations.js";
import { createReplica } from "../../../src/backbench/web/app/state/sync/replica.js";
import { answers } from "../answers.js";

/** @typedef {import("../../../src/backbench/web/app/domain/kinds.js").Kind} Kind */
/** @typedef {import("../../../src/backbench/web/app/local/memory.js").Item} Item */
/** `after`: what the server has, which took the change and whose answer was lost. @typedef {{ item: Item, object?: any, order?: Api.Order, after?: any }} Change */

await answers((/** @type {Change & { path?: Kind, id: string }} */ { path, id, ...change }) =>
  path ? KINDS[path].path(id) : changed(change)
);

/** @param {Change} change */
async function changed({ item, object, order, after }) {
  const shown = applied(object, item);
  if (order) shown.stage = stageOf(order, shown);
  return {
    ...await delivered(seenBefore(item, object, after), object, after),
    shown: shown ?? null,
    isStrange: isStrange(item, shown, after),
  };
}

/** Whether what the server has made of a change seems to be of somebody else, to a change that was made before its answer. @param {Item} item @param {any} shown @param {any} after */
function isStrange(item, shown, after) {
  if (!after || !item.args.fields) return false;
  const { before } = seenBefore(item, shown, after);
  const fields = Object.fromEntries(Object.keys(item.args.fields).map((field) => [field, "another"]));
  return conflictsOf(after, { ...item, args: { ...item.args, fields }, before }).length > 0;
}

/** With the values of its fields, as the person saw them. @param {Item} item @param {any} object @param {any} after @returns {Item} */
function seenBefore(item, object, after) {
  const { args } = item;
  const seen = mutation(item.op).target?.(object ?? KINDS[item.kind].empty, args);
  const before = args.fields && seen &&
    Object.fromEntries(Object.keys(args.fields).map((field) => [field, seen[field] ?? null]));
  return { ...item, before: before ?? null, isSent: after !== undefined };
}

/** The first request of a delivery that changes something, and whether the change waits when it ends. @param {Item} item @param {any} object @param {any} after */
async function delivered(item, object, after = object) {
  const { kind, objectId: id, workshopId } = item;
  const replica = createReplica({ tab: item.tab });
  replica.use(core);
  await replica.attach(memoryLocal());
  const objects = object ? [{ kind, id, workshopId, value: object, etag: "known" }] : [];
  await replica.commit({ objects, items: [item] });
  /** @type {object | undefined} */
  let sent;
  /** @type {import("../../../src/backbench/web/app/api/client.js").Send} */
  const send = (method, path, { body, key } = {}) => {
    if (method === "GET") {
      const data = kind === "order" ? { order: after } : after;
      return Promise.resolve({ status: 200, data, etag: "known", headers: new Headers() });
    }
    sent = { method, path, body, key };
    return Promise.reject(new Problem(0, "offline"));
  };
  await deliver({ replica, send }, item).catch((error) => {
    if (!sent) throw error;
  });
  return { sent, waits: replica.items.value.length > 0 };
}
