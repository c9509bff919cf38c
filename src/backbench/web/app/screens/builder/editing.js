// Editing of an estimate: what taps and digits do to it.

import { component, p } from "../../components/tags.js";
import { newId } from "../../domain/ids.js";
import { BOUNDS, plus, typed } from "../../domain/numbers.js";
import { isMeasured } from "../../domain/units.js";
import { estimateName } from "../../domain/work-name.js";
import {
  addLine,
  createEstimate,
  editEstimate,
  editLine,
  estimate,
  moveLine,
} from "../../state/estimates.js";
import { editTile } from "../../state/grids.js";
import { haptics } from "../../state/preferences.js";
import { forTile, onEstimate } from "../../state/prices.js";
import { go } from "../../state/router.js";
import { summaries } from "../../state/summaries.js";
import { documentSettings } from "../../state/workshops.js";
import { batch, signal } from "../../vendor/signals.js";
import { builderWords } from "../../words/builder.js";
import { wordsLanguage } from "../../words/words.js";

/** @typedef {"quantity" | "unitPrice"} NumberField */
/** A priced thing that can be tapped. `gridId` and `tileId` are absent for lines used before, which have `prices`: what their price is. */
/** @typedef {{label: string, unit: Api.LineItem["unit"], unitPrice: number, prices?: "net" | "gross", gridId?: string, tileId?: string}} Source */

/**
 * The digits that are typed now. `text` is null until the first key. `asksFor` is the tile whose price is asked for;
 * `keeps` says whether that price goes on the tile.
 * @typedef {object} Entry
 * @property {string} lineId
 * @property {NumberField} field
 * @property {string | null} text
 * @property {import("../../domain/numbers.js").NumberProblem | null} problem
 * @property {Source | null} source
 * @property {boolean} asksPrice
 * @property {boolean} keeps
 */

/** @typedef {ReturnType<typeof createEditing>} Editing */

export const NEW = "new";

/** @param {string} id */
export function createEditing(id) {
  const shown = signal(id);
  return {
    /** The id of the estimate; "new" until there is a line or a name. */
    get id() {
      return shown.value;
    },
    set id(next) {
      shown.value = next;
    },
    entry: signal(/** @type {Entry | null} */ (null)),
    /** The line that was added or changed last. */
    latest: signal(""),
    /** The line whose sheet is open. */
    opened: signal(""),
  };
}

/** @param {Editing} editing @returns {Api.Estimate | undefined} */
export function present({ id }) {
  return estimate(id).peek();
}

/** @param {Editing} editing @param {string} lineId */
function lineOf(editing, lineId) {
  return present(editing)?.lineItems.find((line) => line.id === lineId);
}

/** A tile with the price that it has on the estimate. @param {string} id @param {Source} source @returns {Source} */
export function withPriceOn(id, source) {
  const unitPrice = onEstimate(id, source.unitPrice, source.prices);
  return unitPrice === source.unitPrice ? source : { ...source, unitPrice };
}

/** A tile was tapped: its line, or one more of it. @param {Editing} editing @param {Source} tapped */
export function tapTile(editing, tapped) {
  const source = withPriceOn(editing.id, tapped);
  if (haptics.value) navigator.vibrate?.(8);
  batch(() => {
    const repeated = repeatedLine(editing, source);
    const isAsked = editing.entry.value?.lineId === repeated?.id;
    if (!isAsked) endEntry(editing);
    if (repeated) setNumber(editing, repeated.id, "quantity", Number(plus(repeated.quantity, 1)));
    else appendTapped(editing, source);
  });
}

/**
 * The line that a further tap adds to. Of a measured thing that is the one just tapped, until digits are typed.
 * @param {Editing} editing @param {Source} source
 */
function repeatedLine(editing, source) {
  const lines = present(editing)?.lineItems ?? [];
  const line = lines.findLast((one) => isOf(one, source));
  const entry = editing.entry.value;
  if (!isMeasured(source.unit)) return line;
  return line && entry?.lineId === line.id && entry.text === null && !entry.asksPrice ? line : undefined;
}

/** Whether the line is one of the tile. A tile without a price has lines of any price. @param {Api.LineItem} line @param {Source} source */
export function isOf(line, source) {
  return line.label === source.label && line.unit === source.unit &&
    (line.unitPrice === source.unitPrice ||
      source.unitPrice === 0 && line.sourceButtonId === source.tileId);
}

/** @param {Editing} editing @param {Source} source */
function appendTapped(editing, source) {
  if (isFull(present(editing))) return;
  const { label, unit, unitPrice, tileId } = source;
  const line = { id: newId(), label, unit, unitPrice, quantity: 1 };
  append(editing, tileId ? { ...line, sourceButtonId: tileId } : line);
  if (unitPrice === 0) startEntry(editing, line.id, "unitPrice", source);
  else if (isMeasured(unit)) startEntry(editing, line.id, "quantity", source);
}

/** @param {Editing} editing @param {Api.LineItem} line */
export function append(editing, line) {
  if (isFull(present(editing))) return;
  if (editing.id === NEW) create(editing, { lineItems: [line] });
  else addLine(editing.id, line);
  editing.latest.value = line.id;
}

/** The line once more, below it. @param {Editing} editing @param {Api.LineItem} line */
export function duplicateLine(editing, line) {
  if (isFull(present(editing))) return;
  const at = present(editing)?.lineItems.findIndex(({ id }) => id === line.id) ?? -1;
  const copy = { ...line, id: newId() };
  append(editing, copy);
  if (at >= 0 && at < (present(editing)?.lineItems.length ?? 0) - 2) moveLine(editing.id, copy.id, at + 1);
}

/** @param {Editing} editing @param {Partial<Api.NewEstimate>} fields */
function create(editing, fields) {
  const taken = summaries.peek().map(({ name }) => name);
  const { documentTitle } = documentSettings.peek() ?? {};
  const name = estimateName(Date.now(), wordsLanguage.peek(), taken, documentTitle);
  editing.id = createEstimate({ name, ...fields });
  go(`/estimates/${editing.id}`, { replace: true });
}

/** Changes the estimate; a new one begins with it. @param {Editing} editing @param {Omit<Api.EstimateEdit, "lineItems">} fields */
export function editHead(editing, fields) {
  if (editing.id !== NEW) return editEstimate(editing.id, fields);
  const { recipientName, ...rest } = fields;
  create(editing, recipientName ? { ...rest, recipientName } : rest);
  return null;
}

/** @param {Editing} editing @param {string} lineId @param {NumberField} field @param {Source | null} [source] */
export function startEntry(editing, lineId, field, source = null) {
  const asksPrice = source !== null && field === "unitPrice";
  const keeps = asksPrice && !!source.tileId;
  editing.entry.value = { lineId, field, text: null, problem: null, source, asksPrice, keeps };
}

/** A digit without an entry begins the quantity of the line that was added or changed last. @param {Editing} editing @param {string} digit */
export function countLatest(editing, digit) {
  const line = lineOf(editing, editing.latest.peek());
  const entry = editing.entry.peek();
  // The field of an entry may not have the focus yet.
  if (entry) return typeEntry(editing, (entry.text ?? "") + digit);
  if (!line) return;
  startEntry(editing, line.id, "quantity");
  typeEntry(editing, digit);
}

/** The digits go to another number of the line. @param {Editing} editing @param {NumberField} field */
export function turnTo(editing, field) {
  const entry = editing.entry.value;
  if (entry && entry.field !== field) editing.entry.value = { ...entry, field, text: null, problem: null };
}

/** What was typed so far. A number counts at once. @param {Editing} editing @param {string} text */
export function typeEntry(editing, text) {
  const entry = editing.entry.value;
  if (!entry) return;
  const { value, problem } = typed(text, BOUNDS[entry.field], wordsLanguage.peek());
  batch(() => {
    editing.entry.value = { ...entry, text, problem: problem === "missing" ? null : problem };
    if (value !== null) setNumber(editing, entry.lineId, entry.field, Number(value));
  });
}

/** A key that computes, such as ×2. @param {Editing} editing @param {NumberField} field @param {(value: number) => string} compute */
export function computeEntry(editing, field, compute) {
  const entry = editing.entry.value;
  const line = entry && lineOf(editing, entry.lineId);
  if (!line) return;
  batch(() => {
    editing.entry.value = { ...entry, text: null, problem: null };
    setNumber(editing, line.id, field, Number(compute(line[field])));
  });
}

/** @param {Editing} editing @param {string} lineId @param {NumberField} field @param {number} value */
function setNumber(editing, lineId, field, value) {
  if (lineOf(editing, lineId)?.[field] !== value) editLine(editing.id, lineId, { [field]: value });
  editing.latest.value = lineId;
}

/** Ends the typing of digits. A price that was asked for goes on the tile, if wanted. @param {Editing} editing */
export function endEntry(editing) {
  const entry = editing.entry.value;
  editing.entry.value = null;
  if (!entry?.asksPrice || !entry.keeps) return null;
  const { gridId, tileId } = entry.source ?? {};
  const price = lineOf(editing, entry.lineId)?.unitPrice ?? 0;
  if (!gridId || !tileId || price === 0) return null;
  editTile(gridId, tileId, { unitPrice: forTile(editing.id, entry.lineId, price) });
  return entry.source;
}

const MOST_LINES = 500;
const SAID_FROM = 480;

/** @param {string} id */
export const room = (id) => component(Room, { id });

/** @param {{ id: string }} props */
function Room({ id }) {
  const lines = estimate(id).value?.lineItems.length ?? 0;
  if (lines < SAID_FROM) return null;
  const text = builderWords.value;
  const left = MOST_LINES - lines;
  return p({ class: "notice warning", role: "status" }, left > 0 ? text.room(left) : text.full);
}

/** Whether the estimate takes no further line. @param {{ lineItems: readonly unknown[] } | undefined} shown */
export const isFull = (shown) => (shown?.lineItems.length ?? 0) >= MOST_LINES;
