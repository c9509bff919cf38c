// The photo queue: texts go first, each photo is sent with its own key until there is a response, in its order.

import { Problem } from "../../../src/backbench/web/app/api/problems.js";
import { sendPhotos } from "../../../src/backbench/web/app/state/photo-outbox.js";
import { equal } from "./devices.js";

/** @typedef {import("../../../src/backbench/web/app/local/photos.js").WaitingPhoto} WaitingPhoto */

/** @param {string} key @param {Partial<WaitingPhoto>} [more] @returns {WaitingPhoto} */
function photo(key, more = {}) {
  return {
    key,
    orderId: "order-1",
    workshopId: "workshop-1",
    fields: { kind: "before", caption: "", shared: false },
    sent: null,
    takenAt: "2026-11-22T10:00:00.000Z",
    image: new Blob([key], { type: "image/jpeg" }),
    madeAt: 0,
    problem: null,
    ...more,
  };
}

/**
 * A phone with the photos. `answer` is what the server does with an upload.
 * @param {WaitingPhoto[]} photos @param {(key: string, form: FormData) => void} [answer]
 */
function phone(photos, answer = () => {}) {
  const kept = new Map(photos.map((one) => [one.key, one]));
  /** What was done, in order. */
  const done = /** @type {string[]} */ ([]);
  const clock = { now: 1_000 };
  /** @type {import("../../../src/backbench/web/app/state/photo-outbox.js").QueueContext} */
  const context = {
    texts: () => Promise.resolve(done.push("texts")),
    idOf: (id) => id.replace("local-", ""),
    waiting: () => [...kept.values()].filter(({ problem }) => !problem),
    present: ({ key }) => kept.get(key),
    save: (one) => Promise.resolve(kept.set(one.key, one)),
    taken: ({ key }) => Promise.resolve(kept.delete(key)),
    upload: async (orderId, form, { key }) => {
      done.push(`${orderId} ${key}`);
      await Promise.resolve();
      answer(key, form);
      return /** @type {any} */ ({ id: key });
    },
    now: () => clock.now,
    tries: new Map(),
  };
  return { kept, done, clock, context };
}

Deno.test("texts go first, then each photo once", async () => {
  const made = phone([photo("a"), photo("b")]);
  equal(await sendPhotos(made.context, 3), { again: Infinity, failures: 0 });
  equal(made.done, ["texts", "order-1 a", "order-1 b"]);
  equal(made.kept.size, 0);
});

Deno.test("a photo that another page has sent meanwhile is not sent again", async () => {
  const made = phone([photo("a"), photo("b")]);
  const both = made.context.waiting();
  made.context.waiting = () => both.filter(({ key }) => key === "a" || made.kept.has(key));
  made.kept.delete("a");
  equal((await sendPhotos(made.context, 0)).again, Infinity);
  equal(made.done, ["texts", "order-1 b"]);
});

Deno.test("without a server the same photo is sent again with its key and its parts, later each time", async () => {
  const forms = /** @type {string[]} */ ([]);
  const made = phone([photo("a"), photo("b")], (_, form) => {
    forms.push(String(form.get("caption")));
    throw new Problem(0, "offline");
  });
  equal(await sendPhotos(made.context, 0), { again: 2_000, failures: 1 });
  // Changed after it may have arrived: a repetition with other parts would be another request.
  const waiting = /** @type {WaitingPhoto} */ (made.kept.get("a"));
  made.kept.set("a", { ...waiting, fields: { ...waiting.fields, caption: "scratch" } });
  equal(await sendPhotos(made.context, 1), { again: 3_000, failures: 2 });
  equal(made.done, ["texts", "order-1 a", "texts", "order-1 a"]);
  equal(forms, ["null", "null"]);
});

Deno.test("a photo that the server refuses keeps its problem and lets the others pass", async () => {
  const made = phone([photo("a"), photo("b")], (key) => {
    if (key === "a") throw new Problem(400, "validation_error");
  });
  equal(await sendPhotos(made.context, 0), { again: Infinity, failures: 0 });
  equal([...made.kept.values()].map(({ key, problem }) => [key, problem?.status]), [["a", 400]]);
  await sendPhotos(made.context, 0);
  equal(made.done.filter((what) => what.endsWith(" a")).length, 1, "it waits for the person");
});

Deno.test("a busy server is asked again for that photo, and a session that ended stops the queue", async () => {
  const busy = phone([photo("a")], () => {
    throw new Problem(409, "in_progress");
  });
  equal((await sendPhotos(busy.context, 0)).again, 3_000);
  equal(busy.kept.get("a"), photo("a", { sent: photo("a").fields, image: busy.kept.get("a")?.image }));
  const ended = phone([photo("a"), photo("b")], () => {
    throw new Problem(401, "401");
  });
  equal((await sendPhotos(ended.context, 0)).again, 61_000);
  equal(ended.done, ["texts", "order-1 a"]);
});
