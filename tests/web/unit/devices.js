// Devices for tests: a replica with its queue, and a network that can be cut or lose answers. Time is set by the test.

import { Problem } from "../../../src/backbench/web/app/api/problems.js";
import { memoryLocal } from "../../../src/backbench/web/app/local/memory.js";
import { createDrain } from "../../../src/backbench/web/app/state/sync/drain.js";
import { pull, readObject } from "../../../src/backbench/web/app/state/sync/pull.js";
import * as core from "../../../src/backbench/web/app/state/sync/core.js";
import {
  conflictsAmong,
  drop,
  enqueue,
  hasten,
  isUpload,
} from "../../../src/backbench/web/app/state/sync/queue.js";
import { createReplica } from "../../../src/backbench/web/app/state/sync/replica.js";
import { createServer, WORKSHOP } from "./model_server.js";

/** A server and a clock that its devices share. */
export function world() {
  /** `elapsed`: the clock for delays, where that of the day is set back. @type {{now: number, elapsed?: number}} */
  const time = { now: Date.parse("2026-11-22T08:00:00Z") };
  return { time, server: createServer(() => time.now) };
}

/**
 * `fate` says of each request what happens: "arrives", "lost" (it does not arrive) or "unanswered" (its answer does not).
 * @param {ReturnType<typeof world>} world
 * @param {{local?: import("../../../src/backbench/web/app/local/memory.js").Local, tab?: string, fate?: (request: string) => "arrives" | "lost" | "unanswered", isMine?: (item: import("../../../src/backbench/web/app/local/memory.js").Item) => boolean, later?: (milliseconds: number, work: () => void) => () => void}} [options]
 */
export async function device(
  { server, time },
  { local = memoryLocal(), tab = "t1", fate = () => "arrives", isMine, later = () => () => {} } = {},
) {
  /** `answered` is called before an answer arrives. */
  const network = { fate, answered: async (/** @type {string} */ _request) => {} };
  const replica = createReplica({ tab, now: () => time.now, elapsed: () => time.elapsed ?? time.now });
  /** @type {import("../../../src/backbench/web/app/api/client.js").Send} */
  const send = async (method, path, options) => {
    const happens = network.fate(`${method} ${path}`);
    if (happens === "lost") throw new Problem(0, "offline");
    const answer = await server.send(method, path, /** @type {any} */ ({ ...options, by: tab }));
    await network.answered(`${method} ${path}`);
    if (happens === "unanswered") throw new Problem(0, "offline");
    return answer;
  };
  const sending = new Set();
  const drain = createDrain({ replica, send, isMine, later, sending });
  const uploads = createDrain({ replica, send, isMine, later, sending, ofUploads: true });
  replica.use(core);
  await replica.attach(local);
  let made = 0;
  return {
    replica,
    drain,
    uploads,
    local,
    network,
    /** @param {string} op @param {string} objectId @param {Record<string, any>} args @param {Record<string, any> | null} [before] */
    do: (op, objectId, args, before = null) =>
      enqueue(replica, { op, objectId, workshopId: WORKSHOP, args, before }, sending),
    /** Adds a photo, whose bytes are its id. @param {string} orderId @param {string} photoId @param {Record<string, any>} [more] */
    add: (orderId, photoId, more = {}) => {
      const args = { photoId, kind: "before", caption: "", shared: false, takenAt: "2026-11-22", ...more };
      const bytes = new Blob([photoId], { type: "image/jpeg" });
      const change = { op: "orderPhotos.add", objectId: orderId, workshopId: WORKSHOP, args, bytes };
      return enqueue(replica, change, sending) ?? "";
    },
    /** @param {string} kind */
    newId: (kind) => `local-${kind}-${tab}-${made += 1}`,
    drop: (/** @type {string} */ key) => drop(replica, key),
    pull: () => pull({ replica, send }, WORKSHOP),
    /** @param {import("../../../src/backbench/web/app/local/memory.js").Kind} kind @param {string} id */
    read: async (kind, id) =>
      replica.commit({ objects: [await readObject({ send }, { kind, workshopId: WORKSHOP }, id)] }),
    /** Sends all, without the delays. */
    sendAll: async () => {
      hasten(replica, () => true);
      await drain.wake();
      if (!replica.items.peek().some(isUpload)) return;
      await uploads.wake();
      await drain.run();
    },
    /** @param {import("../../../src/backbench/web/app/local/memory.js").Kind} kind @param {string} id */
    see: (kind, id) => replica.views[kind].value.get(replica.presentId(id)),
    /** @param {import("../../../src/backbench/web/app/local/memory.js").Kind} kind */
    seeAll: (kind) => [...replica.views[kind].value.values()],
    waiting: () => replica.items.value,
    /** The conflicts of a change, after the changes that wait before it. @param {import("../../../src/backbench/web/app/local/memory.js").Item} item */
    conflictsIn: ({ key, objectId }) =>
      conflictsAmong(replica, replica.pending.get(objectId) ?? []).filter(({ item }) => item.key === key)
        .map(({ field, mine, theirs }) => ({ field, mine, theirs })),
  };
}

/** @typedef {Awaited<ReturnType<typeof device>>} Device */

/** @param {unknown} actual @param {unknown} expected @param {string} [message] */
export function equal(actual, expected, message = "") {
  const [is, should] = [JSON.stringify(actual, null, 1), JSON.stringify(expected, null, 1)];
  if (is !== should) throw new Error(`${message}\nis ${is}\nshould be ${should}`);
}
