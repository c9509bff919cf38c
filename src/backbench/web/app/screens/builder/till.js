// Till: what taps and digits do to the estimate that is being built.

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

/** @typedef {ReturnType<typeof createTill>} Till */

export const NEW = "new";

/** @param {string} id */
export function createTill(id) {
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

/** @param {Till} till @returns {Api.Estimate | undefined} */
export function present({ id }) {
  return estimate(id).peek();
}

/** @param {Till} till @param {string} lineId */
function lineOf(till, lineId) {
  return present(till)?.lineItems.find((line) => line.id === lineId);
}

/** A tile with the price that it has on the estimate. @param {string} id @param {Source} source @returns {Source} */
export function withPriceOn(id, source) {
  const unitPrice = onEstimate(id, source.unitPrice, source.prices);
  return unitPrice === source.unitPrice ? source : { ...source, unitPrice };
}

/** A tile was tapped: its line, or one more of it. @param {Till} till @param {Source} tapped */
export function tapTile(till, tapped) {
  const source = withPriceOn(till.id, tapped);
  if (haptics.value) navigator.vibrate?.(8);
  batch(() => {
    const repeated = repeatedLine(till, source);
    const isAsked = till.entry.value?.lineId === repeated?.id;
    if (!isAsked) endEntry(till);
    if (repeated) setNumber(till, repeated.id, "quantity", Number(plus(repeated.quantity, 1)));
    else appendTapped(till, source);
  });
}

/**
 * The line that a further tap adds to. Of a measured thing that is the one just tapped, until digits are typed.
 * @param {Till} till @param {Source} source
 */
function repeatedLine(till, source) {
  const lines = present(till)?.lineItems ?? [];
  const line = lines.findLast((one) => isOf(one, source));
  const entry = till.entry.value;
  if (!isMeasured(source.unit)) return line;
  return line && entry?.lineId === line.id && entry.text === null && !entry.asksPrice ? line : undefined;
}

/** Whether the line is one of the tile. A tile without a price has lines of any price. @param {Api.LineItem} line @param {Source} source */
export function isOf(line, source) {
  return line.label === source.label && line.unit === source.unit &&
    (line.unitPrice === source.unitPrice ||
      source.unitPrice === 0 && line.sourceButtonId === source.tileId);
}

/** @param {Till} till @param {Source} source */
function appendTapped(till, source) {
  if (isFull(present(till))) return;
  const { label, unit, unitPrice, tileId } = source;
  const line = { id: newId(), label, unit, unitPrice, quantity: 1 };
  append(till, tileId ? { ...line, sourceButtonId: tileId } : line);
  if (unitPrice === 0) startEntry(till, line.id, "unitPrice", source);
  else if (isMeasured(unit)) startEntry(till, line.id, "quantity", source);
}

/** @param {Till} till @param {Api.LineItem} line */
export function append(till, line) {
  if (isFull(present(till))) return;
  if (till.id === NEW) create(till, { lineItems: [line] });
  else addLine(till.id, line);
  till.latest.value = line.id;
}

/** The line once more, below it. @param {Till} till @param {Api.LineItem} line */
export function duplicateLine(till, line) {
  if (isFull(present(till))) return;
  const at = present(till)?.lineItems.findIndex(({ id }) => id === line.id) ?? -1;
  const copy = { ...line, id: newId() };
  append(till, copy);
  if (at >= 0 && at < (present(till)?.lineItems.length ?? 0) - 2) moveLine(till.id, copy.id, at + 1);
}

/** @param {Till} till @param {Partial<Api.NewEstimate>} fields */
function create(till, fields) {
  const taken = summaries.peek().map(({ name }) => name);
  const { documentTitle } = documentSettings.peek() ?? {};
  const name = estimateName(Date.now(), wordsLanguage.peek(), taken, documentTitle);
  till.id = createEstimate({ name, ...fields });
  go(`/estimates/${till.id}`, { replace: true });
}

/** Changes the estimate; a new one begins with it. @param {Till} till @param {Omit<Api.EstimateEdit, "lineItems">} fields */
export function editHead(till, fields) {
  if (till.id !== NEW) return editEstimate(till.id, fields);
  const { recipientName, ...rest } = fields;
  create(till, recipientName ? { ...rest, recipientName } : rest);
  return null;
}

/** @param {Till} till @param {string} lineId @param {NumberField} field @param {Source | null} [source] */
export function startEntry(till, lineId, field, source = null) {
  const asksPrice = source !== null && field === "unitPrice";
  const keeps = asksPrice && !!source.tileId;
  till.entry.value = { lineId, field, text: null, problem: null, source, asksPrice, keeps };
}

/** A digit without an entry begins the quantity of the line that was added or changed last. @param {Till} till @param {string} digit */
export function countLatest(till, digit) {
  const line = lineOf(till, till.latest.peek());
  const entry = till.entry.peek();
  // The field of an entry may not have the focus yet.
  if (entry) return typeEntry(till, (entry.text ?? "") + digit);
  if (!line) return;
  startEntry(till, line.id, "quantity");
  typeEntry(till, digit);
}

/** The digits go to another number of the line. @param {Till} till @param {NumberField} field */
export function turnTo(till, field) {
  const entry = till.entry.value;
  if (entry && entry.field !== field) till.entry.value = { ...entry, field, text: null, problem: null };
}

/** What was typed so far. A number counts at once. @param {Till} till @param {string} text */
export function typeEntry(till, text) {
  const entry = till.entry.value;
  if (!entry) return;
  const { value, problem } = typed(text, BOUNDS[entry.field], wordsLanguage.peek());
  batch(() => {
    till.entry.value = { ...entry, text, problem: problem === "missing" ? null : problem };
    if (value !== null) setNumber(till, entry.lineId, entry.field, Number(value));
  });
}

/** A key that computes, such as ×2. @param {Till} till @param {NumberField} field @param {(value: number) => string} compute */
export function computeEntry(till, field, compute) {
  const entry = till.entry.value;
  const line = entry && lineOf(till, entry.lineId);
  if (!line) return;
  batch(() => {
    till.entry.value = { ...entry, text: null, problem: null };
    setNumber(till, line.id, field, Number(compute(line[field])));
  });
}

/** @param {Till} till @param {string} lineId @param {NumberField} field @param {number} value */
function setNumber(till, lineId, field, value) {
  if (lineOf(till, lineId)?.[field] !== value) editLine(till.id, lineId, { [field]: value });
  till.latest.value = lineId;
}

/** Ends the typing of digits. A price that was asked for goes on the tile, if wanted. @param {Till} till */
export function endEntry(till) {
  const entry = till.entry.value;
  till.entry.value = null;
  if (!entry?.asksPrice || !entry.keeps) return null;
  const { gridId, tileId } = entry.source ?? {};
  const price = lineOf(till, entry.lineId)?.unitPrice ?? 0;
  if (!gridId || !tileId || price === 0) return null;
  editTile(gridId, tileId, { unitPrice: forTile(till.id, entry.lineId, price) });
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
