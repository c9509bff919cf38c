// Queue: adds, joins, drops and repeats waiting changes, and finds those that can be sent now.

import { isLocal, newId } from "../../domain/ids.js";
import { BYTES } from "../../local/memory.js";
import { Problem, storedProblem } from "../../api/problems.js";
import { applied, conflictsOf, mutation, overlap } from "./mutations.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("../../local/memory.js").Kind} Kind */
/** @typedef {import("./replica.js").Replica} Replica */

/** How long a change may wait for those that follow it, in milliseconds. */
const LONGEST = 6_000;

/**
 * @typedef {object} Change
 * @property {string} op
 * @property {string} objectId
 * @property {string} workshopId
 * @property {Record<string, any>} args
 * @property {Record<string, any> | null} [before]
 * @property {Blob} [bytes] of an upload
 */

/** Whether the change has bytes: those have a drain of their own. @param {Item} item */
export const isUpload = ({ op }) => mutation(op).way === "upload";

/**
 * Adds a change, or joins it with an earlier one that has not been sent. Returns the key of what waits; null where both
 * cancel out.
 * @param {Replica} replica
 * @param {Change} change
 * @param {ReadonlySet<string>} sending keys of what is being sent
 */
export function enqueue(replica, change, sending = new Set()) {
  const { item, ...instead } = inPlaceOf(refusedBefore(replica, change), newItem(replica, change));
  const earlier = joinable(replica, item, sending);
  const together = earlier && mutation(item.op).join?.(earlier, item);
  if (!earlier || together === undefined) {
    const facts = change.bytes ? { [BYTES + item.key]: change.bytes } : {};
    replica.commit({ items: [...instead.items, item], dropped: instead.dropped, facts });
    return item.key;
  }
  const dropped = together ? instead.dropped : [...instead.dropped, earlier.key];
  // Not in the middle of taps that follow each other.
  const notBefore = (/** @type {Item} */ one) =>
    Math.max(one.notBefore, Math.min(item.notBefore, one.queuedAt + LONGEST));
  const items = together ? [{ ...together, notBefore: notBefore(together) }] : [];
  replica.commit({ items: [...instead.items, ...items], dropped });
  return together ? together.key : null;
}

/** Refused edits of the same fields of the same thing. @param {Replica} replica @param {Change} change */
function refusedBefore(replica, { op, objectId, args }) {
  const { way, part } = mutation(op);
  if (way === "create" || !args.fields) return [];
  return (replica.pending.peek().get(replica.presentId(objectId)) ?? []).filter((other) =>
    other.problem && other.op === op && part(other.args) === part(args) &&
    Object.keys(other.args.fields).some((name) => name in args.fields)
  );
}

/** What is typed now takes the place of refused values; what was seen before them stays. @param {Item[]} refused @param {Item} item */
function inPlaceOf(refused, item) {
  const items = refused.flatMap((other) => {
    const rest = Object.entries(other.args.fields).filter(([name]) => !(name in item.args.fields));
    return rest.length ? [{ ...other, args: { ...other.args, fields: Object.fromEntries(rest) } }] : [];
  });
  const seen = Object.assign({}, ...refused.map(({ before }) => before));
  const first = Object.entries(seen).filter(([name]) => name in item.args.fields);
  const before = item.before && { ...item.before, ...Object.fromEntries(first) };
  const kept = new Set(items.map(({ key }) => key));
  return {
    item: { ...item, before },
    items,
    dropped: refused.map(({ key }) => key).filter((key) => !kept.has(key)),
  };
}

/** @param {Replica} replica @param {Change} change @returns {Item} */
function newItem(replica, { op, objectId, workshopId, args, before = null }) {
  const [now, elapsed] = [replica.now(), replica.elapsed()];
  const last = replica.items.peek().at(-1)?.order ?? 0;
  return {
    key: newId(),
    op,
    kind: /** @type {Kind} */ (op.split(".")[0]),
    objectId: replica.presentId(objectId),
    workshopId,
    args,
    before,
    madeAt: now,
    order: Math.max(now, last + 1),
    queuedAt: elapsed,
    notBefore: elapsed + (mutation(op).delay ?? 0),
    isSent: false,
    attempts: 0,
    tab: replica.tab,
    problem: null,
  };
}

/** The latest change of the same part, if it can still be changed. @param {Replica} replica @param {Item} item @param {ReadonlySet<string>} sending */
function joinable(replica, item, sending) {
  const earlier = (replica.pending.peek().get(item.objectId) ?? []).findLast((other) => overlap(other, item));
  if (!earlier || earlier.tab !== replica.tab || sending.has(earlier.key)) return undefined;
  // A refused edit holds up no other field; one of the same field was taken out by `inPlaceOf`.
  if (earlier.problem && earlier.op === item.op && item.args.fields) return undefined;
  return earlier.isSent && !earlier.problem ? undefined : earlier;
}

/**
 * Takes a change back. With a creation goes all that was done to the object, but for photos, which nobody can take again:
 * those need the person.
 * @param {Replica} replica @param {string} key
 */
export function drop(replica, key) {
  const item = replica.item(key);
  if (!item) return;
  const isCreation = mutation(item.op).way === "create";
  const pending = replica.pending.peek().get(item.objectId) ?? [];
  const photos = isCreation ? pending.filter(isUpload) : [];
  const all = isCreation
    ? pending.filter((other) => !isUpload(other))
    : isUpload(item)
    ? pending.filter(({ args }) => args.photoId === item.args.photoId)
    : [item];
  const dropped = all.map((other) => other.key);
  const others = replica.items.peek().filter(({ key }) => !dropped.includes(key));
  const changed = isCreation
    ? others.filter((other) => references(other).includes(item.objectId)).map((other) =>
      withoutReference(other, item.objectId)
    )
    : [];
  const items = changed.filter(({ args }) => Object.keys(args.fields).length);
  const empty = changed.filter(({ args }) => !Object.keys(args.fields).length).map(({ key }) => key);
  const lost = photos.map((photo) => ({ ...photo, problem: storedProblem(new Problem(404, "404")) }));
  replica.commit({ items: [...items, ...lost], dropped: [...dropped, ...empty] });
}

/** The ids that a change names in fields that name objects; what a person typed is none, however it begins. @param {Item} item */
function references({ op, args }) {
  const values = { ...args, ...args.fields };
  return (mutation(op).references ?? []).map((name) => values[name]).filter((id) => typeof id === "string");
}

/**
 * The change with the present ids of its object and of what it names; the same one where nothing is another.
 * @param {Item} item @param {(id: string) => string} presentId @returns {Item}
 */
export function withPresentIds(item, presentId) {
  const { args, objectId } = item;
  if (![objectId, ...references(item)].some((id) => presentId(id) !== id)) return item;
  const names = mutation(item.op).references ?? [];
  /** @param {Record<string, any>} of */
  const renamed = (of) =>
    Object.fromEntries(
      Object.entries(of).map((
        [name, value],
      ) => [name, names.includes(name) && typeof value === "string" ? presentId(value) : value]),
    );
  const fields = args.fields && { fields: renamed(args.fields) };
  return { ...item, objectId: presentId(objectId), args: { ...renamed(args), ...fields } };
}

/** @param {Item} item @param {string} id @returns {Item} */
function withoutReference(item, id) {
  const fields = Object.entries(item.args.fields).filter(([, value]) => value !== id);
  return { ...item, args: { ...item.args, fields: Object.fromEntries(fields) } };
}

/** Whether a field names an object that the server does not have yet, whose creation waits. @param {Item} item */
function waitsForAnother(item) {
  return references(item).some(isLocal);
}

/** Sends a refused change again. @param {Replica} replica @param {string} key */
export function retry(replica, key) {
  const item = replica.item(key);
  if (item) replica.commit({ items: [{ ...item, problem: null, notBefore: 0, attempts: 0 }] });
}

/** Ends the delays of changes; else of those that were not tried yet, except deletions, which can be undone. @param {Replica} replica @param {(item: Item) => boolean} [which] */
export function hasten(replica, which = ({ op, attempts }) => attempts === 0 && !mutation(op).isDeletion) {
  const items = replica.items.peek().filter((item) => item.notBefore > replica.elapsed() && which(item));
  if (items.length) replica.commit({ items: items.map((item) => ({ ...item, notBefore: 0 })) });
}

/** Sends a change that was not sent yet at another time. @param {Replica} replica @param {string} key @param {number} notBefore */
export function postpone(replica, key, notBefore) {
  const item = replica.item(key);
  if (item && !item.isSent) replica.commit({ items: [{ ...item, notBefore }] });
}

/** Whether its object was changed by somebody else in the same field. @param {Replica} replica @param {Item} item */
export function isConflict(replica, { key, objectId }) {
  const items = replica.pending.get(objectId) ?? [];
  return conflictsAmong(replica, items).some(({ item }) => item.key === key);
}

/** The conflicts of all changes of one object, in one pass. @param {Replica} replica @param {Item[]} items in their order */
export function conflictsAmong(replica, items) {
  const last = items.findLastIndex(({ before, problem }) => before && !problem);
  if (last < 0) return [];
  /** The object of each kind, as it is before the next change. @type {Map<Kind, any>} */
  const objects = new Map();
  const found = [];
  for (const item of items.slice(0, last + 1)) {
    const { kind, objectId } = item;
    const object = objects.has(kind) ? objects.get(kind) : replica.bases[kind].get(objectId)?.value;
    found.push(...conflictsOf(object, item).map((conflict) => ({ item, ...conflict })));
    objects.set(kind, applied(object, item));
  }
  return found;
}

/**
 * `now` by the clock of the page; `sending` are the keys of what is being sent; `isMine` says which changes this page sends.
 * @typedef {{now: number, sending: ReadonlySet<string>, isMine: (item: Item) => boolean}} At
 */

/** The uploads whose orders have an id, oldest first. @param {Replica} replica */
export function uploadsOf(replica) {
  return replica.items.peek().filter((item) => isUpload(item) && !isLocal(item.objectId));
}

/** Those that can be sent now. @param {Replica} replica @param {At} at */
export function readyUploads(replica, at) {
  return uploadsOf(replica).filter((item) => isDue(item, at) && !at.sending.has(item.key));
}

/** @param {Item} item @param {At} at */
function isDue(item, { now, isMine }) {
  return !item.problem && item.notBefore <= now && isMine(item);
}

/** The other changes that can be sent now, at most one of each object. @param {Replica} replica @param {At} at */
export function ready(replica, at) {
  return [...replica.pending.peek().values()].flatMap((items) =>
    firstReady(replica, items.filter((item) => !isUpload(item)), at)
  );
}

/** @param {Replica} replica @param {Item[]} items @param {At} at */
function firstReady(replica, items, at) {
  const { now, sending } = at;
  /** @type {Item[]} */
  const passed = [];
  const disputed = new Set(conflictsAmong(replica, items).map(({ item }) => item.key));
  for (const item of items) {
    const isPossible = isDue(item, at) && !disputed.has(item.key) && !waitsForAnother(item);
    if (isPossible && !sending.has(item.key)) {
      return passed.some((earlier) => blocks(earlier, item)) ? [] : [item];
    }
    if (sending.has(item.key) || isWaitingAgain(item, now)) return [];
    passed.push(item);
  }
  return [];
}

/** Whether an attempt has failed: what follows may depend on it. @param {Item} item @param {number} now */
function isWaitingAgain(item, now) {
  return item.attempts > 0 && !item.problem && item.notBefore > now;
}

/** Whether a change that is not sent now keeps back a later one. @param {Item} earlier @param {Item} later */
function blocks(earlier, later) {
  if (mutation(earlier.op).way === "create") return true;
  return !earlier.problem && overlap(earlier, later);
}

/** When the next delay of some changes after `now` ends; Infinity if there is none. @param {Item[]} items @param {number} now */
export function nextTime(items, now) {
  const times = items.filter(({ problem }) => !problem).map(({ notBefore }) => notBefore);
  return Math.min(Infinity, ...times.filter((time) => time > now));
}
