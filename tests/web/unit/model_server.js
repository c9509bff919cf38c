// A model of the server for tests: orders, estimates and grids of one workshop, its settings, and the profile, with
// versions, ETags and Idempotency-Keys as the API has them.

import { Problem } from "../../../src/backbench/web/app/api/problems.js";

export const WORKSHOP = "w1";
const THINGS = {
  "/me": {
    name: "Anna",
    email: "anna@example.org",
    locale: "en",
    signInMethods: ["password"],
  },
  [`/workshops/${WORKSHOP}`]: { id: WORKSHOP, name: "Harrow", tagline: "", isDefault: true, members: [] },
  [`/workshops/${WORKSHOP}/document-settings`]: { currency: "EUR", phone: "", email: "" },
};

/** @param {() => number} [clock] */
export function createServer(clock = () => 0) {
  const state = {
    clock,
    /** @type {Map<string, {kind: string, value: any}>} */ objects: new Map(),
    /** @type {{kind: string, id: string}[]} */ log: [],
    /** @type {Map<string, any>} */ answers: new Map(),
    /** @type {string[]} */ requests: [],
    /** Each entry of a history, with the device that made it. */
    /** @type {{id: string, status: string, by: string}[]} */ moves: [],
    /** What is edited as one thing, by its path. */
    /** @type {Map<string, any>} */ things: new Map(
      Object.entries(/** @type {Record<string, any>} */ (THINGS)),
    ),
    /** Details, notices and questions of orders, by the order's id. @type {Map<string, any>} */
    sides: new Map(),
    /** The bytes of photos. @type {Map<string, File>} */ files: new Map(),
    epoch: 1,
    ids: 0,
  };
  return {
    ...state,
    state,
    /** @type {import("../../../src/backbench/web/app/api/client.js").Send} */
    send: (method, path, options = {}) => Promise.resolve().then(() => answer(state, method, path, options)),
    /** @param {string} kind */
    all: (kind) => [...state.objects.values()].filter((one) => one.kind === kind).map(({ value }) => value),
    /** @param {string} id */
    value: (id) => state.objects.get(id)?.value,
  };
}

/** @typedef {ReturnType<typeof createServer>["state"]} State */
/** @typedef {import("../../../src/backbench/web/app/api/client.js").Options & {body?: any, by?: string}} Options */

/** @param {State} state @param {string} method @param {string} path @param {Options} options */
function answer(state, method, path, options) {
  state.requests.push(`${method} ${path}`);
  const stored = options.key ? state.answers.get(options.key + path) : undefined;
  if (stored) return reply(stored.data, stored.etag, { "Idempotency-Replayed": "true" });
  const photo = /^\/photos\/([^/]+)$/.exec(path)?.[1];
  const thing = photo
    ? answerOfPhoto(state, method, photo, options.body)
    : answerOfThing(state, method, path, options) ?? answerOfSide(state, method, path, options);
  if (thing) {
    if (options.key) state.answers.set(options.key + path, thing);
    return thing;
  }
  const data = structuredClone(route(state, method, path, options));
  const made = reply(data, data?.id ? etagOf(data) : null);
  if (options.key && method !== "GET") state.answers.set(options.key + path, made);
  return made;
}

/** Of what has a path of its own and no list. @param {State} state @param {string} method @param {string} path @param {Options} options */
function answerOfThing({ things, objects, clock }, method, path, { body, ifMatch }) {
  const of = path.replace(/\/context$/, "");
  const id = /^\/estimates\/(.*)\/document$/.exec(of)?.[1];
  if (id && !objects.has(id)) throw new Problem(404, "404");
  const known = things.get(of) ?? (id ? {} : undefined);
  if (!known) return undefined;
  if (method === "GET") return reply(known, etagOf(known));
  if (ifMatch !== etagOf(known)) throw new Problem(412, "precondition_failed");
  const wrong = Object.keys(body).filter((name) => body[name] === "\u0007");
  if (wrong.length) {
    const errors = wrong.map((name) => ({ pointer: `/${name}`, code: "pattern", detail: "" }));
    throw new Problem(400, "validation_error", { errors });
  }
  if (of !== path) things.set(of, { ...known, context: body });
  else things.set(of, clean(method === "PUT" ? body : { ...known, ...body }));
  const made = of === path ? things.get(of) : body;
  const estimate = id && objects.get(id);
  // The document is shown with the estimate, which has a new tag, though the change log names it no second time.
  if (estimate) {
    estimate.value = { ...estimate.value, updatedAt: `${new Date(clock()).toISOString()} ${etagOf(made)}` };
  }
  return reply(made, etagOf(made));
}

/** A photo by its id, with those of its order. @param {State} state @param {string} id */
function photoOf({ sides }, id) {
  for (const { photos = [] } of sides.values()) {
    const at = photos.findIndex((/** @type {{id: string}} */ one) => one.id === id);
    if (at >= 0) return { photos, at };
  }
  throw new Problem(404, "404");
}

/** @param {State} state @param {string} method @param {string} id @param {any} body */
function answerOfPhoto(state, method, id, body) {
  const { photos, at } = photoOf(state, id);
  if (method === "DELETE") photos.splice(at, 1);
  else photos[at] = { ...photos[at], ...body };
  return reply(photos[at] ?? {}, null);
}

/** @param {State} state @param {any} known @param {FormData} form */
function addPhoto({ files, requests }, known, form) {
  const { file, ...fields } = Object.fromEntries(form);
  const id = `photo-${requests.length}`;
  files.set(id, /** @type {File} */ (file));
  const photo = { ...fields, shared: fields["shared"] === "true", id };
  known.photos.push(photo);
  return photo;
}

/** Of what belongs to an order besides. @param {State} state @param {string} method @param {string} path @param {Options} options */
function answerOfSide(state, method, path, { body, form, ifMatch }) {
  const [, id = "", side = ""] =
    /^\/orders\/([^/]+)\/(details|collected|notices|questions|signature|photos|photos\/order)$/.exec(path) ??
      [];
  if (!side) return undefined;
  const order = state.objects.get(id)?.value;
  if (!order) throw new Problem(404, "404");
  const known = state.sides.get(id) ?? { details: {}, notices: [], questions: [] };
  if (side === "signature") {
    if (method !== "GET") known.signature = method === "PUT" ? body : undefined;
    state.sides.set(id, known);
    return reply({ orderId: id, ...known.signature }, null);
  }
  if (side.startsWith("photos")) {
    known.photos ??= [];
    if (method === "PUT") {
      if (ifMatch && ifMatch !== etagOf(known.photos)) throw new Problem(412, "precondition_failed");
      known.photos = body.photoIds.map((/** @type {string} */ one) =>
        known.photos.find((/** @type {{id: string}} */ photo) => photo.id === one)
      );
    }
    state.sides.set(id, known);
    if (form) return reply(addPhoto(state, known, form), null);
    return reply({ photos: known.photos }, etagOf(known.photos));
  }
  if (side === "notices" || side === "questions") {
    if (method === "GET") return reply({ [side]: known[side] }, null);
    const made = { ...body, id: `${side}-${state.requests.length}` };
    known[side] = side === "notices" ? [made, ...known[side]] : [...known[side], made];
    state.sides.set(id, known);
    return reply(made, null);
  }
  if (method !== "GET") {
    if (ifMatch && ifMatch !== etagOf(known.details)) throw new Problem(412, "precondition_failed");
    if (method === "POST" && order.status !== "done") throw new Problem(409, "not_done");
    const collectedAt = method === "POST" ? new Date(state.clock()).toISOString() : null;
    known.details = clean({ ...known.details, orderId: id, ...side === "details" ? body : { collectedAt } });
    state.sides.set(id, known);
    state.log.push({ kind: "orderDetails", id });
  }
  return reply(known.details, etagOf(known.details));
}

/** @param {any} data @param {string | null} etag @param {Record<string, string>} [headers] */
function reply(data, etag, headers = {}) {
  const value = data?.order ?? data;
  return {
    status: 200,
    data: structuredClone(data),
    etag: etag ?? (value?.id ? etagOf(value) : null),
    headers: new Headers(headers),
  };
}

/** @param {any} value */
function etagOf(value) {
  return JSON.stringify(value);
}

/** @param {State} state @param {string} method @param {string} path @param {Options} options */
function route(state, method, path, options) {
  const [, first = "", id = "", sub = "", part = ""] = path.split("/");
  if (first === "workshops") return ofWorkshop(state, method, sub, options);
  const found = state.objects.get(id);
  if (!found || `${found.kind}s` !== first) throw new Problem(404, "404");
  if (method === "GET") return found.kind === "order" ? { order: found.value } : found.value;
  if (options.ifMatch && options.ifMatch !== etagOf(found.value)) {
    throw new Problem(412, "precondition_failed");
  }
  if (method === "DELETE" && !sub) return remove(state, found.kind, id);
  if (sub === "confirm") {
    const revisions = [...found.value.revisions ?? [], found.value.lineItems];
    return { estimate: save(state, found, { ...found.value, revisions }) };
  }
  if (sub === "status") {
    state.moves.push({ id, status: options.body.status, by: options.by ?? "" });
    return save(state, found, moved(state, found.value, options.body.status));
  }
  if (sub === "line-items") return save(state, found, withLine(found.value, method, part, options.body));
  check(options.body);
  return save(state, found, clean({ ...found.value, ...options.body }));
}

/** @param {any} body */
function check(body) {
  if (body.name === "" || body.title === "") {
    throw new Problem(400, "validation_error", {
      errors: [{ pointer: "/name", code: "too_short", detail: "" }],
    });
  }
}

/** @param {any} value */
function clean(value) {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null));
}

/** @param {State} state @param {string} method @param {string} list @param {Options} options */
function ofWorkshop(state, method, list, { body, query = {} }) {
  if (list === "changes") return changes(state, String(query.since ?? ""));
  if (list === "order-summaries") return { summaries: [] };
  if (list === "inbox") return { items: [] };
  const kind = list.slice(0, -1);
  if (method === "GET") {
    const values = [...state.objects.values()].filter((one) => one.kind === kind).map(({ value }) => value);
    return { [list]: values.filter((value) => !query.status || value.status === query.status) };
  }
  check(body);
  state.ids += 1;
  const at = new Date(state.clock()).toISOString();
  const usual = {
    order: {
      customerName: "",
      notes: "",
      status: "todo",
      statusHistory: [{ status: "todo", at }],
      lastActivityAt: at,
    },
    estimate: { markupPercent: 0, discountPercent: 0, lineItems: [], updatedAt: at },
    grid: { iconSize: "medium", buttons: [], updatedAt: at },
  }[kind];
  const value = { ...usual, ...body, id: `${kind}-${state.ids}`, workshopId: WORKSHOP, createdAt: at };
  return save(state, { kind, value: null }, value);
}

/** @param {State} state @param {{kind: string, value: any}} found @param {any} value */
function save(state, found, value) {
  if (JSON.stringify(found.value) === JSON.stringify(value)) return value;
  state.objects.set(value.id, { kind: found.kind, value });
  state.log.push({ kind: found.kind, id: value.id });
  return value;
}

/** @param {State} state @param {string} kind @param {string} id */
function remove(state, kind, id) {
  state.objects.delete(id);
  state.log.push({ kind, id });
  return null;
}

/** @param {State} state @param {any} order @param {string} status */
function moved(state, order, status) {
  const at = new Date(state.clock()).toISOString();
  return { ...order, status, lastActivityAt: at, statusHistory: [...order.statusHistory, { status, at }] };
}

/** @param {any} estimate @param {string} method @param {string} lineId @param {any} body */
function withLine(estimate, method, lineId, body) {
  const lines = estimate.lineItems;
  /** @param {any} line */
  const is = (line) => line.id === (lineId || body.id);
  if (method === "POST") return { ...estimate, lineItems: lines.some(is) ? lines : [...lines, body] };
  if (!lines.some(is)) throw new Problem(404, "404");
  const next = method === "DELETE"
    ? lines.filter((/** @type {any} */ line) => !is(line))
    : lines.map((/** @type {any} */ line) => (is(line) ? { ...line, ...body } : line));
  return { ...estimate, lineItems: next };
}

/** @param {State} state @param {string} since */
function changes(state, since) {
  const cursor = `${state.epoch}.${state.log.length}`;
  const [epoch, version = "0"] = since.split(".");
  const none = {
    cursor,
    more: false,
    reset: false,
    orders: [],
    orderDetails: [],
    estimates: [],
    grids: [],
    payments: [],
    photos: [],
    customers: [],
    orderSummaries: [],
    estimateSummaries: [],
    inbox: [],
    removed: [],
  };
  if (!since) return none;
  if (Number(epoch) !== state.epoch || Number(version) > state.log.length) return { ...none, reset: true };
  const log = state.log.slice(Number(version));
  const details = new Set(log.filter(({ kind }) => kind === "orderDetails").map(({ id }) => id));
  const touched = [
    ...new Map(log.filter(({ kind }) => kind !== "orderDetails").map((entry) => [entry.id, entry])).values(),
  ];
  const present = touched.filter(({ id }) => state.objects.has(id));
  /** @param {string} kind */
  const values = (kind) =>
    present.filter((one) => one.kind === kind).map(({ id }) => state.objects.get(id)?.value);
  return {
    ...none,
    orders: values("order"),
    orderDetails: [...details].filter((id) => state.objects.has(id)).map((id) => state.sides.get(id).details),
    estimates: values("estimate"),
    grids: values("grid"),
    removed: touched.filter(({ id }) => !state.objects.has(id)),
  };
}
