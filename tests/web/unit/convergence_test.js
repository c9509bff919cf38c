// Two devices with random changes, lost requests and answers, and restarts: in the end both are equal to the server,
// nothing was created twice, and no history has an entry twice.

import { device, equal, world } from "./devices.js";

const RUNS = 150;
const STEPS = 40;

/** @typedef {import("./devices.js").Device} Device */
/** @typedef {"order" | "estimate" | "grid"} Kind */

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). @param {number} seed */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param {number} seed */
function choices(seed) {
  const next = numbers(seed);
  return {
    next,
    /** @template T @param {readonly T[]} list @returns {T} */
    one: (list) => /** @type {T} */ (list[Math.floor(next() * list.length)]),
  };
}

/** @typedef {ReturnType<typeof choices>} Choices */

for (let seed = 1; seed <= RUNS; seed += 1) {
  Deno.test(`two devices and the server agree in the end (${seed})`, () => run(seed));
}

/** @param {number} seed */
async function run(seed) {
  const choose = choices(seed);
  const at = world();
  const fate = () =>
    choose.one(/** @type {const} */ (["arrives", "arrives", "arrives", "lost", "unanswered"]));
  const devices = [await device(at, { tab: "t1", fate }), await device(at, { tab: "t2", fate })];
  const made = { count: 0 };
  for (let step = 0; step < STEPS; step += 1) {
    at.time.now += 1_000 * Math.floor(choose.next() * 8);
    const which = choose.next() < 0.5 ? 0 : 1;
    const phone = /** @type {Device} */ (devices[which]);
    devices[which] = await act(choose, at, phone, made, fate);
  }
  for (const phone of devices) phone.network.fate = () => "arrives";
  await settle(devices, choose);
  await check(at, devices);
}

/** @param {Choices} choose @param {ReturnType<typeof world>} at @param {Device} phone @param {{count: number}} made @param {() => "arrives" | "lost" | "unanswered"} fate */
async function act(choose, at, phone, made, fate) {
  const kind = choose.next();
  if (kind < 0.12) await phone.pull().catch(() => {});
  else if (kind < 0.3) await phone.drain.wake();
  else if (kind < 0.36) return await device(at, { local: phone.local, tab: phone.replica.tab, fate });
  else if (kind < 0.42) void phone.drain.wake();
  else if (kind < 0.5) void phone.uploads.wake();
  else if (kind < 0.55) await phone.uploads.wake();
  else change(choose, phone, made);
  resolve(phone, choose);
  return phone;
}

/** @param {Choices} choose @param {Device} phone @param {{count: number}} made */
function change(choose, phone, made) {
  const kind = choose.one(/** @type {Kind[]} */ (["order", "estimate", "grid"]));
  const objects = phone.seeAll(kind);
  if (!objects.length || choose.next() < 0.15) return create(phone, kind, made);
  const object = choose.one(objects);
  const edits = { order: changeOrder, estimate: changeEstimate, grid: changeGrid };
  edits[kind](choose, phone, object, made);
}

/** @param {Device} phone @param {Kind} kind @param {{count: number}} made */
function create(phone, kind, made) {
  const name = `${kind} ${phone.replica.tab} ${made.count += 1}`;
  const args = {
    order: { title: name, customerName: "" },
    estimate: { name, lineItems: [] },
    grid: { name, buttons: [] },
  };
  phone.do(`${kind}.create`, phone.newId(`${kind}-${made.count}`), args[kind]);
}

/** @param {Choices} choose @param {Device} phone @param {any} order @param {{count: number}} made */
function changeOrder(choose, phone, order, made) {
  const status = choose.one(["todo", "in_progress", "done"]);
  const notes = `note ${made.count += 1}`;
  if (choose.next() < 0.3) return changePhotos(choose, phone, order, made);
  if (choose.next() < 0.1) phone.do("order.delete", order.id, {});
  else if (choose.next() < 0.5) {
    phone.do("order.edit", order.id, { fields: { notes } }, { notes: order.notes });
  } else if (status !== order.status) {
    phone.do("order.move", order.id, { status }, { status: order.status });
  }
}

/** @param {Choices} choose @param {Device} phone @param {any} order @param {{count: number}} made */
function changePhotos(choose, phone, order, made) {
  const count = made.count += 1;
  const photos = phone.see("orderPhotos", order.id)?.photos ?? [];
  const photo = choose.one(/** @type {any[]} */ (photos));
  const what = choose.next();
  if (!photo || what < 0.4) phone.add(order.id, `local-photo-${phone.replica.tab}-${count}`);
  else if (what < 0.7) {
    phone.do("orderPhotos.edit", order.id, { photoId: photo.id, fields: { caption: `${count}` } });
  } else if (what < 0.85) {
    const waits = phone.waiting().find(({ op, args }) =>
      op === "orderPhotos.add" && args.photoId === photo.id
    );
    if (waits) phone.drop(waits.key);
    else phone.do("orderPhotos.delete", order.id, { photoId: photo.id });
  } else if (!photo.id.startsWith("local-")) phone.do("orderPhotos.cover", order.id, { photoId: photo.id });
}

/** @param {Choices} choose @param {Device} phone @param {any} estimate @param {{count: number}} made */
function changeEstimate(choose, phone, estimate, made) {
  const count = made.count += 1;
  const line = choose.one(/** @type {any[]} */ (estimate.lineItems));
  const what = choose.next();
  if (!line || what < 0.3) {
    const added = { id: `line-${phone.replica.tab}-${count}`, label: "Oak", quantity: 1 };
    phone.do("estimate.addLine", estimate.id, { line: added });
  } else if (what < 0.6) {
    const fields = { quantity: count };
    phone.do("estimate.editLine", estimate.id, { lineId: line.id, fields }, { quantity: line.quantity });
  } else if (what < 0.7) phone.do("estimate.deleteLine", estimate.id, { lineId: line.id });
  else if (what < 0.8) phone.do("estimate.moveLine", estimate.id, { lineId: line.id, index: 0 });
  else if (what < 0.85) phone.do("estimate.reprice", estimate.id, { prices: repriced(estimate.lineItems) });
  else {phone.do("estimate.edit", estimate.id, { fields: { markupPercent: count } }, {
      markupPercent: estimate.markupPercent,
    });}
}

/** @param {Choices} choose @param {Device} phone @param {any} grid @param {{count: number}} made */
function changeGrid(choose, phone, grid, made) {
  const count = made.count += 1;
  const tile = choose.one(/** @type {any[]} */ (grid.buttons));
  const what = choose.next();
  if (!tile || what < 0.4) {
    phone.do("grid.addTile", grid.id, { tile: { id: `tile-${phone.replica.tab}-${count}`, unitPrice: 0 } });
  } else if (what < 0.7) {
    const fields = { unitPrice: count };
    phone.do("grid.editTile", grid.id, { tileId: tile.id, fields }, { unitPrice: tile.unitPrice });
  } else if (what < 0.8) phone.do("grid.deleteTile", grid.id, { tileId: tile.id });
  else if (what < 0.9) phone.do("grid.moveTile", grid.id, { tileId: tile.id, index: 0 });
  else phone.do("grid.reprice", grid.id, { prices: repriced(grid.buttons) });
}

/** As when all prices are converted. @param {{id: string, unitPrice?: number}[]} parts */
function repriced(parts) {
  return Object.fromEntries(parts.map(({ id, unitPrice }) => [id, [unitPrice, (unitPrice ?? 0) + 1]]));
}

/** The person decides conflicts, and drops what was refused. @param {Device} phone @param {Choices} choose */
function resolve(phone, choose) {
  for (const item of phone.waiting()) {
    const found = phone.conflictsIn(item);
    const seen = Object.fromEntries(found.map(({ field, theirs }) => [field, theirs]));
    if (item.problem) phone.drop(item.key);
    else if (found.length && choose.next() < 0.5) phone.drop(item.key);
    else if (found.length) {
      phone.replica.commit({ items: [{ ...item, before: { ...item.before, ...seen } }] });
    }
  }
}

/** @param {Device[]} devices @param {Choices} choose */
async function settle(devices, choose) {
  for (let round = 0; round < 30; round += 1) {
    for (const phone of devices) {
      resolve(phone, choose);
      await phone.sendAll();
    }
  }
  for (const phone of devices) await phone.pull();
}

/** @param {ReturnType<typeof world>} at @param {Device[]} devices */
async function check({ server }, devices) {
  for (const kind of /** @type {Kind[]} */ (["order", "estimate", "grid"])) {
    const stored = byId(server.all(kind));
    const names = stored.map(({ name, title }) => name ?? title);
    equal(new Set(names).size, names.length, `a ${kind} was created twice: ${names}`);
    for (const phone of devices) equal(byId(phone.seeAll(kind)), stored, `${kind} of ${phone.replica.tab}`);
  }
  for (const phone of devices) equal(phone.waiting(), [], "nothing waits");
  for (const { id } of server.all("order")) await checkPhotos(server, id, devices);
  for (const { id } of server.all("order")) noRepetition(server.state.moves.filter((move) => move.id === id));
}

/** None was sent twice. @param {ReturnType<typeof world>["server"]} server @param {string} id of the order @param {Device[]} devices */
async function checkPhotos({ state }, id, devices) {
  /** @type {any[]} */
  const photos = state.sides.get(id)?.photos ?? [];
  const sent = await Promise.all(photos.map((photo) => state.files.get(photo.id)?.text()));
  equal(new Set(sent).size, sent.length, `a photo was added twice: ${sent}`);
  for (const phone of devices) {
    await phone.read("orderPhotos", id);
    equal(phone.see("orderPhotos", id).photos, photos);
  }
}

/** A device moves no order to the status that it has: the same twice in a row is one move sent twice. @param {{status: string, by: string}[]} moves */
function noRepetition(moves) {
  moves.forEach(({ status, by }, at) => {
    const last = moves[at - 1];
    if (status === last?.status && by === last.by) throw new Error(`a move twice: ${JSON.stringify(moves)}`);
  });
}

/** @param {any[]} values */
function byId(values) {
  return values.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
