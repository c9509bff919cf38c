// Changes: a difference line by line, as on the estimate, and what it does to the sum.

import { kindOf } from "../../components/prices.js";
import { b, del, div, p, span } from "../../components/tags.js";
import { decimal, decimalText } from "../../domain/decimals.js";
import { amount, change as changeText, percentage, price, quantity } from "../../domain/format.js";
import { unitOf as counted, words, wordsLanguage } from "../../words/words.js";
import { revisionWords } from "../../words/estimates.js";

/** @typedef {import("../../domain/differences.js").Difference} Difference */
/** @typedef {import("../../domain/differences.js").LineDifference} LineDifference */
/** @typedef {import("../../domain/differences.js").Line} Line */

/** @param {Difference} found @param {string} title @param {string} currency */
export function changesOf(found, title, currency) {
  const text = revisionWords.value;
  const rows = [...found.lines.map((line) => lineRow(line, currency)), ...percentRows(found)];
  if (found.isMoved) rows.push(row(text.moved, "", ""));
  return div(
    { class: "stack" },
    p({ class: "quiet-text" }, title),
    rows.length ? div({ class: "revision-lines" }, ...rows) : p({}, text.nothingChanged),
  );
}

/** @param {LineDifference} line @param {string} currency */
function lineRow(line, currency) {
  const shown = line.after ?? line.before;
  const sum = changeText(line.change, currency, wordsLanguage.value);
  return row(shown?.label ?? "", detailOf(line, currency), decimal(line.change) === 0n ? "" : sum, line.kind);
}

/** @param {string} label @param {any} detail @param {string} sum @param {string} [kind] */
function row(label, detail, sum, kind = "changed") {
  return div(
    { class: `revision-line ${kind}` },
    span({}, b({}, label), detail && span({ class: "quiet-text" }, detail)),
    span({ class: "figures" }, sum),
  );
}

/** What happened to the line, in words. @param {LineDifference} line @param {string} currency */
function detailOf({ kind, before, after, fields }, currency) {
  const text = revisionWords.value;
  const language = wordsLanguage.value;
  if (kind === "added" && after) return `${text.added} · ${measured(after, after.quantity)}`;
  if (kind === "removed" || !before || !after) return text.removed;
  const parts = fields.map((field) => {
    if (field === "quantity") return signed(before, after);
    if (field === "unitPrice") {
      return fromTo(price(before.unitPrice, currency, language), price(after.unitPrice, currency, language));
    }
    return field === "label" ? before.label : fromTo(unitOf(before), unitOf(after));
  });
  return span(
    {},
    ...parts.flatMap((part, at) => [at > 0 && " · ", fields[at] === "label" ? del({}, part) : part]),
  );
}

/** +0.4 m @param {Line} before @param {Line} after */
function signed(before, after) {
  const more = decimal(after.quantity) - decimal(before.quantity);
  const text = measured(after, decimalText(more < 0n ? -more : more));
  return (more < 0n ? "−" : "+") + text;
}

/** @param {Line} line @param {import("../../domain/decimals.js").Numeric} value */
function measured(line, value) {
  const unit = line.unit === "freeform" ? "" : ` ${counted(Number(value), line.unit)}`;
  return quantity(value, wordsLanguage.value) + unit;
}

/** @param {Line} line */
function unitOf({ unit }) {
  return words.value.common.units[/** @type {"piece"} */ (unit)].short;
}

/** @param {string} before @param {string} after */
function fromTo(before, after) {
  return `${before} → ${after}`;
}

/** @param {Difference} found */
function percentRows({ markupPercent, discountPercent }) {
  const { money } = words.value.common;
  const shown = (/** @type {string} */ value) => percentage(value, wordsLanguage.value);
  return [
    markupPercent && row(money.markup, fromTo(shown(markupPercent.before), shown(markupPercent.after)), ""),
    discountPercent &&
    row(money.discount, fromTo(shown(discountPercent.before), shown(discountPercent.after)), ""),
  ].filter((one) => one !== null);
}

/** @typedef {import("../../domain/decimals.js").Numeric} Numeric */
/** @typedef {{ total: Numeric, tax?: Numeric, taxes?: readonly { label?: string | undefined }[], pricesShown?: "gross", lines: readonly { id: string, amount: Numeric }[] }} Sums */

/** What is compared, with the amounts of its lines as they are shown. @template {object} T @param {T} content @param {Sums | undefined} sums */
export const withAmounts = (content, sums) => ({ ...content, amounts: sums?.lines });

/** The old and the new total, the tax in it, and what prices are, where they differ. @param {Sums} earlier @param {Sums} later @param {string} currency */
export function sumsOf(earlier, later, currency) {
  const label = (later.taxes?.[0] ?? earlier.taxes?.[0])?.label ?? words.value.common.money.tax;
  return [
    sumRow(revisionWords.value.total, earlier.total, later.total, currency),
    sumRow(label, earlier.tax ?? 0, later.tax ?? 0, currency),
    pricesRow(earlier, later),
  ];
}

/** Where there is a tax. @param {Sums} earlier @param {Sums} later */
function pricesRow(earlier, later) {
  const isTaxed = earlier.tax !== undefined || later.tax !== undefined;
  if (!isTaxed || earlier.pricesShown === later.pricesShown) return null;
  const kind = (/** @type {Sums} */ { pricesShown }) => kindOf(pricesShown ?? "net");
  return p(
    { class: "revision-sum" },
    b({}, revisionWords.value.prices),
    span({}, fromTo(kind(earlier), kind(later))),
  );
}

/** @param {string} label @param {Numeric} before @param {Numeric} after @param {string} currency */
function sumRow(label, before, after, currency) {
  const difference = decimal(after) - decimal(before);
  if (difference === 0n) return null;
  const sum = changeText(decimalText(difference), currency, wordsLanguage.value);
  return p(
    { class: "revision-sum" },
    b({}, label),
    span(
      {},
      span({ class: "figures" }, total(before, currency)),
      " → ",
      span({ class: "figures" }, total(after, currency)),
      " ",
      span({ class: "figures" }, `(${sum})`),
    ),
  );
}

/** @param {Numeric} value @param {string} currency */
export function total(value, currency) {
  return amount(value, currency, wordsLanguage.value);
}
