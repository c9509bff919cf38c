// Differences: what changed from one revision of an estimate to another, line by line, and by how much.

import { minorDigits } from "./currencies.js";
import { decimal, fixed } from "./decimals.js";
import { lineAmount, totals } from "./money.js";

/** @typedef {import("./money.js").PricedLine & {label: string, unit: string}} Line */
/** An amount of each line, as it is shown. @typedef {readonly {id: string, amount: import("./decimals.js").Numeric}[]} Amounts */
/** Without `amounts`, those of the prices as they were entered. @typedef {import("./money.js").Priced & {lineItems: readonly Line[], amounts?: Amounts | undefined}} Content */
/** @typedef {"label" | "unit" | "unitPrice" | "quantity"} Field */

/**
 * One line that was added, removed or changed. `change` is the change of its amount, with a minus if it is less;
 * `fields` are those of a changed line that differ.
 * @typedef {object} LineDifference
 * @property {"added" | "removed" | "changed"} kind
 * @property {string} id
 * @property {Line} [before]
 * @property {Line} [after]
 * @property {Field[]} fields
 * @property {string} change
 */

/**
 * @typedef {object} Difference
 * @property {LineDifference[]} lines in the order of the later revision; removed ones last
 * @property {{before: string, after: string} | null} markupPercent
 * @property {{before: string, after: string} | null} discountPercent
 * @property {boolean} isMoved the lines that both have stand in another order
 * @property {string} totalBefore
 * @property {string} totalAfter
 * @property {string} change of the total
 */

/**
 * @param {Content} before
 * @param {Content} after
 * @param {string} currency
 * @returns {Difference}
 */
export function difference(before, after, currency) {
  const [totalBefore, totalAfter] = [totals(before, currency).total, totals(after, currency).total];
  return {
    lines: lineDifferences(before, after, currency),
    markupPercent: percentDifference(before.markupPercent, after.markupPercent),
    discountPercent: percentDifference(before.discountPercent, after.discountPercent),
    isMoved: isMoved(before.lineItems, after.lineItems),
    totalBefore,
    totalAfter,
    change: minus(totalAfter, totalBefore, currency),
  };
}

/** @param {Difference} found */
export function isEmpty(found) {
  return !found.lines.length && !found.markupPercent && !found.discountPercent && !found.isMoved &&
    decimalIsZero(found.change);
}

/**
 * @param {Content} before
 * @param {Content} after
 * @param {string} currency
 * @returns {LineDifference[]}
 */
function lineDifferences(before, after, currency) {
  /** @type {[readonly Line[], readonly Line[]]} */
  const [lines, present] = [before.lineItems, after.lineItems];
  const former = new Map(lines.map((line) => [line.id, line]));
  const kept = new Set(present.map((line) => line.id));
  const [had, has] = [amountsOf(before, currency), amountsOf(after, currency)];
  return [
    ...present.flatMap((line) => compared(former.get(line.id), line, currency, had, has)),
    ...lines.filter((line) => !kept.has(line.id)).map((line) => ({
      kind: /** @type {const} */ ("removed"),
      id: line.id,
      before: line,
      fields: [],
      change: minus("0", had(line), currency),
    })),
  ];
}

/** @typedef {(line: Line) => import("./decimals.js").Numeric} AmountOf */

/** @param {Content} content @param {string} currency @returns {AmountOf} */
function amountsOf({ amounts = [] }, currency) {
  const known = new Map(amounts.map(({ id, amount }) => [id, amount]));
  return (line) => known.get(line.id) ?? lineAmount(line, currency);
}

/**
 * @param {Line | undefined} before
 * @param {Line} after
 * @param {string} currency
 * @param {AmountOf} had
 * @param {AmountOf} has
 * @returns {LineDifference[]}
 */
function compared(before, after, currency, had, has) {
  const amount = has(after);
  if (!before) {
    return [{ kind: "added", id: after.id, after, fields: [], change: minus(amount, "0", currency) }];
  }
  const fields = changedFields(before, after);
  if (!fields.length) return [];
  return [{
    kind: "changed",
    id: after.id,
    before,
    after,
    fields,
    change: minus(amount, had(before), currency),
  }];
}

/**
 * @param {Line} before
 * @param {Line} after
 * @returns {Field[]}
 */
function changedFields(before, after) {
  /** @type {Field[]} */
  const fields = [];
  if (before.label !== after.label) fields.push("label");
  if (before.unit !== after.unit) fields.push("unit");
  if (decimal(before.unitPrice) !== decimal(after.unitPrice)) fields.push("unitPrice");
  if (decimal(before.quantity) !== decimal(after.quantity)) fields.push("quantity");
  return fields;
}

/**
 * @param {import("./decimals.js").Numeric} [before]
 * @param {import("./decimals.js").Numeric} [after]
 */
function percentDifference(before = 0, after = 0) {
  return decimal(before) === decimal(after) ? null : { before: String(before), after: String(after) };
}

/**
 * @param {readonly Line[]} before
 * @param {readonly Line[]} after
 */
function isMoved(before, after) {
  const [had, has] = [new Set(before.map((line) => line.id)), new Set(after.map((line) => line.id))];
  const former = before.filter((line) => has.has(line.id));
  const present = after.filter((line) => had.has(line.id));
  return former.some((line, at) => line.id !== present[at]?.id);
}

/**
 * @param {import("./decimals.js").Numeric} left
 * @param {import("./decimals.js").Numeric} right
 * @param {string} currency
 */
function minus(left, right, currency) {
  const digits = minorDigits(currency);
  return fixed((decimal(left) - decimal(right)) / 10n ** BigInt(4 - digits), digits);
}

/** @param {string} amount */
function decimalIsZero(amount) {
  return decimal(amount) === 0n;
}
