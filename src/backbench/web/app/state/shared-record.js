// Shared record: an object that several people edit field by field, and that only the server saves.

import { isProblem } from "../api/problems.js";
import { computed, signal } from "../vendor/signals-core.js";
import { same } from "./sync/same.js";

/** @typedef {import("../api/problems.js").Problem} Problem */
/** @typedef {import("../api/problems.js").FieldError} FieldError */
/** @template T @typedef {import("../api/client.js").Answer<T>} Answer */
/** @template T @typedef {import("../vendor/signals-core.js").Signal<T>} Signal */
/**
 * `read` and `write` ask the server; `write` gets the state read last, the changed fields and the tag of that state.
 * @template T
 * @typedef {{ initial: T | null, read: () => Promise<Answer<T>>,
 *   write: (known: T, fields: Partial<T>, tag: string | null) => Promise<Answer<T>>, onSaved?: (value: T) => void }} Source
 */
/**
 * What was changed and is not saved yet: `before` is what the person saw, `theirs` what somebody else made of it,
 * `problem` why the server refused it.
 * @typedef {{ mine: unknown, before: unknown, theirs?: unknown, isConflict?: boolean, problem?: FieldError }} Draft
 */
/**
 * `value` is what the server has with the drafts over it; `problem` is of the record as a whole.
 * @template T
 * @typedef {{ source: Source<T>, known: Signal<T | null>, drafts: Signal<Record<string, Draft>>, value: { value: T | null },
 *   problem: Signal<Problem | null>, isSaving: Signal<boolean>, tag: string | null, running: Promise<void> | null }} SharedRecord
 */

/**
 * Each save names the version that was read, so that nobody's change is overwritten unseen: fields that one person
 * alone changed are merged, others wait for a choice. A field that the server refuses keeps what was typed.
 * @template {object} T @param {Source<T>} source @returns {SharedRecord<T>}
 */
export function sharedRecord(source) {
  const known = signal(source.initial);
  const drafts = signal(/** @type {Record<string, Draft>} */ ({}));
  const value = computed(() =>
    known.value && { ...known.value, ...mapped(drafts.value, ({ mine }) => mine) }
  );
  const problem = signal(/** @type {Problem | null} */ (null));
  return { source, known, drafts, value, problem, isSaving: signal(false), tag: null, running: null };
}

/** Reads it from the server. @template {object} T @param {SharedRecord<T>} record */
export async function load(record) {
  try {
    take(record, await record.source.read());
    record.problem.value = null;
  } catch (error) {
    fail(record, error);
  }
}

/** Takes over what arrived in another way, such as a live change. @template {object} T @param {SharedRecord<T>} record @param {T | null} value */
export function follow(record, value) {
  if (!value || record.running || same(value, record.known.value)) return;
  record.known.value = value;
  record.tag = null;
}

/** @template {object} T @param {SharedRecord<T>} record @param {Partial<T>} fields @returns {Promise<void>} */
export function save(record, fields) {
  const present = /** @type {Record<string, unknown>} */ (record.known.value ?? {});
  const drafts = record.drafts.value;
  const added = mapped(fields, (mine, name) => ({ mine, before: drafts[name]?.before ?? present[name] }));
  record.drafts.value = { ...drafts, ...added };
  return retry(record);
}

/** Sends what is not saved yet. @template {object} T @param {SharedRecord<T>} record @returns {Promise<void>} */
export function retry(record) {
  record.running ??= deliver(record).catch((error) => fail(record, error)).finally(() => {
    record.running = null;
    record.isSaving.value = false;
  });
  return record.running;
}

/** Whether everything is saved. @param {SharedRecord<any>} record */
export function isSaved({ isSaving, drafts }) {
  return !isSaving.value && Object.keys(drafts.value).length === 0;
}

/** The draft that somebody else's change contradicts, if there is one. @param {SharedRecord<any>} record @param {string} name */
export function conflictOf({ drafts }, name) {
  const draft = drafts.value[name];
  return draft?.isConflict ? draft : undefined;
}

/** @template {object} T @param {SharedRecord<T>} record @param {string} name */
export function keepMine(record, name) {
  change(record, name, ({ mine, theirs }) => ({ mine, before: theirs }));
  return retry(record);
}

/** @template {object} T @param {SharedRecord<T>} record @param {string} name */
export function takeTheirs(record, name) {
  change(record, name, () => null);
}

/** @template {object} T @param {SharedRecord<T>} record */
async function deliver(record) {
  while (Object.keys(ready(record)).length > 0) {
    record.isSaving.value = true;
    record.problem.value = null;
    if (record.tag === null) await compare(record);
    await attempt(record, /** @type {any} */ (mapped(ready(record), ({ mine }) => mine)));
  }
}

/** Drafts that can be sent. @param {SharedRecord<any>} record */
function ready({ drafts }) {
  return Object.fromEntries(
    Object.entries(drafts.value).filter(([, draft]) => !draft.isConflict && !draft.problem),
  );
}

/** @template {object} T @param {SharedRecord<T>} record @param {Partial<T>} fields */
async function attempt(record, fields) {
  if (Object.keys(fields).length === 0) return;
  try {
    const answer = await record.source.write(/** @type {T} */ (record.known.value), fields, record.tag);
    take(record, answer);
    record.drafts.value = withoutSaved(record.drafts.value, fields);
    record.source.onSaved?.(answer.data);
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (error.status === 412) record.tag = null;
    else if (!refuse(record, error, fields)) throw error;
  }
}

/** Reads what is there, and finds the fields that somebody else changed meanwhile. @template {object} T @param {SharedRecord<T>} record */
async function compare(record) {
  take(record, await record.source.read());
  const present = /** @type {Record<string, unknown>} */ (record.known.value);
  record.drafts.value = mapped(record.drafts.value, (draft, name) => {
    const theirs = present[name];
    const isConflict = !same(theirs, draft.before) && !same(theirs, draft.mine);
    return isConflict ? { ...draft, theirs, isConflict } : draft;
  });
}

/** Keeps the refused fields with their errors. Whether there was one. @param {SharedRecord<any>} record @param {Problem} found @param {object} fields */
function refuse(record, found, fields) {
  const errors = found.errors.filter(({ pointer }) => fieldOf(pointer) in fields);
  for (const problem of errors) change(record, fieldOf(problem.pointer), (draft) => ({ ...draft, problem }));
  return errors.length > 0;
}

/** @param {string} pointer */
const fieldOf = (pointer) => pointer.split("/")[1] ?? "";

/** @param {SharedRecord<any>} record @param {string} name @param {(draft: Draft) => Draft | null} to */
function change({ drafts }, name, to) {
  const { [name]: draft, ...others } = drafts.value;
  const changed = draft && to(draft);
  drafts.value = changed ? { ...others, [name]: changed } : others;
}

/** @template {object} T @param {SharedRecord<T>} record @param {Answer<T>} answer */
function take(record, answer) {
  record.known.value = answer.data;
  record.tag = answer.etag;
}

/** @param {SharedRecord<any>} record @param {unknown} error */
function fail(record, error) {
  if (!isProblem(error)) throw error;
  record.problem.value = error;
}

/** @param {object} from @param {(value: any, name: string) => any} to @returns {Record<string, any>} */
function mapped(from, to) {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value, name)]));
}

/** Drafts that were changed again while they were sent stay. @param {Record<string, Draft>} drafts @param {Record<string, any>} sent */
function withoutSaved(drafts, sent) {
  return Object.fromEntries(
    Object.entries(drafts).filter(([name, { mine }]) => !(name in sent) || !same(mine, sent[name])),
  );
}
