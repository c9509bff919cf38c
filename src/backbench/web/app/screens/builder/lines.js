// Lines of an estimate. A line is drawn anew only if one of its own values has changed.

import { actionButton } from "../../components/action-button.js";
import { taxName } from "../../components/prices.js";
import { button, component, dd, div, dl, dt, icon, p, section, span } from "../../components/tags.js";
import { amount, percentage, price as priceText, quantity } from "../../domain/format.js";
import { partOf } from "../../state/conflicts.js";
import { conflicts } from "../../state/status.js";
import { facts } from "../../state/estimates.js";
import { replaced } from "../../state/outbox.js";
import { shownPrices } from "../../state/prices.js";
import { totals as totalsOf } from "../../state/totals.js";
import { currency as workshopCurrency, documentSettings } from "../../state/workshops.js";
import { useCallback, useLayoutEffect, useRef } from "../../vendor/hooks.js";
import { builderWords } from "../../words/builder.js";
import { priceWords } from "../../words/estimates.js";
import { unitOf, words, wordsLanguage } from "../../words/words.js";
import { startEntry } from "./editing.js";

/** @typedef {import("./editing.js").Editing} Editing */
/** @typedef {import("../../domain/money.js").Totals} Totals */

/** @param {{ editing: Editing, shown: Api.Estimate }} props */
export function Lines({ editing, shown }) {
  const pane = useRef(/** @type {HTMLElement | null} */ (null));
  const totals = totalsOf(editing.id).value;
  const latest = editing.latest.value;
  const typed = editing.entry.value?.lineId;
  const prices = shownPrices(editing.id).value;
  const disputed = partsInConflict(editing.id);
  const taxes = facts(shown.id).value?.lineTaxes ?? {};
  const open = useCallback((/** @type {string} */ lineId) => openLine(editing, lineId), []);
  useLayoutEffect(() => {
    if (latest) pane.current?.querySelector(`[data-line="${latest}"]`)?.scrollIntoView({ block: "nearest" });
  }, [latest, typed, shown.lineItems.length]);
  const blocks = useBlocks(shown.lineItems.map((line, at) => ({
    line,
    price: prices[at] ?? "0",
    sum: totals?.lines[at]?.amount ?? "0",
    tax: taxText(taxes[line.id]),
    isOpen: typed === line.id,
    isNew: latest === line.id,
    isDisputed: disputed.has(line.id),
    onOpen: open,
  })));
  return section(
    { class: "roll builder-roll", "aria-label": builderWords.value.lines, ref: pane, tabIndex: 0 },
    div({}, ...blocks),
    shown.lineItems.length > 0 && (totals ? sumsBelow(shown, totals) : div({ class: "sums-place" })),
  );
}

/** @param {Editing} editing @param {string} lineId */
function openLine(editing, lineId) {
  editing.entry.value = null;
  editing.opened.value = lineId;
  startEntry(editing, lineId, "quantity");
}

/** What is charged on a line alone: "VAT 8%". @param {number | import("../../domain/taxes.js").NoRate | undefined} own */
function taxText(own) {
  if (own === undefined) return "";
  const { common } = words.value;
  const builder = builderWords.value;
  return typeof own === "string"
    ? builder.paper.choices.taxKind[own]
    : `${common.money.tax} ${percentage(own, wordsLanguage.value)}`;
}

/** @typedef {import("../../vendor/preact.js").VNode<any>} Element */
/** @typedef {{ line: Api.LineItem, price: string, sum: string, tax: string, isOpen: boolean, isNew: boolean, isDisputed: boolean, onOpen: (id: string) => void }} Look */

/** @typedef {{ looks: Look[], lines: Element[], blocks: Element[] }} Drawn */

const BLOCK = 25;

/**
 * The lines in blocks. An element is that of before where nothing has changed, and is not compared again: a tap costs the
 * same with five lines and with five hundred.
 * @param {Look[]} looks
 */
function useBlocks(looks) {
  const drawn = useRef(/** @type {Drawn} */ ({ looks: [], lines: [], blocks: [] }));
  const former = drawn.current;
  const lines = looks.map((look, at) =>
    sameLook(look, former.looks[at])
      ? /** @type {Element} */ (former.lines[at])
      : component(Line, { key: look.line.id, ...look })
  );
  const count = Math.ceil(lines.length / BLOCK);
  const blocks = Array.from({ length: count }, (_, key) => {
    const part = lines.slice(key * BLOCK, (key + 1) * BLOCK);
    const known = former.blocks[key];
    const isSame = sameItems(part, former.lines.slice(key * BLOCK, (key + 1) * BLOCK));
    return known && isSame ? known : div({ key, class: "builder-block" }, ...part);
  });
  drawn.current = { looks, lines, blocks };
  return blocks;
}

/** @param {Look} one @param {Look | undefined} other */
function sameLook(one, other) {
  return other !== undefined && one.line === other.line && one.price === other.price &&
    one.sum === other.sum && one.tax === other.tax &&
    one.isOpen === other.isOpen &&
    one.isNew === other.isNew && one.isDisputed === other.isDisputed && one.onOpen === other.onOpen;
}

/** @param {readonly unknown[]} some @param {readonly unknown[]} others */
function sameItems(some, others) {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}

/** @param {Look} props */
function Line({ line, price, sum, tax, isOpen, isNew, isDisputed, onOpen }) {
  return div(
    { class: "builder-line", "data-line": line.id },
    lineRow({ line, price, sum, tax, open: isOpen, isNew, onTap: () => onOpen(line.id) }),
    isDisputed && actionButton({
      label: builderWords.value.conflict,
      about: line.label,
      icon: "triangle-alert",
      wide: true,
      onClick: () => onOpen(line.id),
    }),
  );
}

/** The lines that two people have changed. @param {string} id @returns {ReadonlySet<string>} */
function partsInConflict(id) {
  const own = replaced(id);
  const found = conflicts.value.filter(({ item }) => item.objectId === own).map(({ item }) => partOf(item));
  return found.length ? new Set(found) : NONE;
}

/** @type {ReadonlySet<string>} */
const NONE = new Set();

/** The sums below the lines. @param {Api.Estimate} shown @param {Totals} totals */
export function sumsBelow(shown, totals) {
  const text = words.value.common.money;
  const language = wordsLanguage.value;
  const taxes = taxRows(shown, totals);
  const isWithin = totals.pricesShown === "gross";
  /** @type {[string, string][]} */
  const rows = [];
  const { markupPercent, discountPercent } = shown;
  if (markupPercent || discountPercent || totals.tax !== undefined && !isWithin) {
    rows.push([text.subtotal, totals.subtotal]);
  }
  if (markupPercent) rows.push([`${text.markup} ${percentage(markupPercent, language)}`, totals.markup]);
  if (discountPercent) {
    rows.push([`${text.discount} ${percentage(discountPercent, language)}`, `-${totals.discount}`]);
  }
  if (!isWithin) {
    rows.push(...taxes.map(({ name, amount }) => /** @type {[string, string]} */ ([name, amount])));
  }
  return sums({
    rows,
    total: [text.total, totals.total],
    within: isWithin
      ? taxes.map(({ name, amount, kind }) => [kind ? name : priceWords.value.within(name), amount])
      : [],
  });
}

/** @typedef {{ name: string, amount: string, kind?: string }} TaxRow `kind` is one without a rate: of an amount, not of a tax */

/** @param {Api.Estimate} shown @param {Totals} totals @returns {TaxRow[]} */
function taxRows({ id }, { tax, taxes, pricesShown }) {
  const rate = (/** @type {import("../../domain/decimals.js").Numeric | undefined} */ percent) =>
    percent === undefined ? "" : ` ${percentage(percent, wordsLanguage.value)}`;
  if (taxes) {
    return taxes.map(({ percent, kind, net, amount }) =>
      kind
        // Part of the total is what it is charged on, where there is nothing to add.
        ? { name: builderWords.value.paper.choices.taxKind[kind], amount: pricesShown ? net : amount, kind }
        : { name: taxName(id) + rate(percent), amount }
    );
  }
  if (tax === undefined) return [];
  const own = facts(id).value ?? {};
  return [{
    name: taxName(id) +
      rate(own.lineTaxes ? undefined : own.taxPercent ?? documentSettings.value?.taxPercent),
    amount: tax,
  }];
}

/** The roll before its first line. */
export function emptyRoll() {
  return section(
    { class: "roll builder-roll", "aria-label": builderWords.value.lines },
    p({ class: "builder-empty" }, span({}, icon("receipt-text")), span({}, builderWords.value.empty)),
  );
}

/** @typedef {{ id: string, label: string, unit: string, unitPrice: number, quantity: number }} ShownLine */

/**
 * A line that opens when it is tapped. `tax` is that of the line alone, in words; `price` the unit price as it is shown.
 * @param {{ line: ShownLine, price: string, sum: string, tax?: string, onTap?: () => void, open?: boolean, isNew?: boolean }} props
 */
export function lineRow({ line, price, sum, tax = "", onTap, open = false, isNew = false }) {
  const language = wordsLanguage.value;
  const unit = line.unit === "freeform" ? "" : ` ${unitOf(line.quantity, line.unit)}`;
  return button(
    {
      class: ["roll-line", open && "open", isNew && "printed"].filter(Boolean).join(" "),
      type: "button",
      "aria-expanded": open,
      onClick: onTap,
    },
    span({ class: "roll-label" }, line.label),
    span(
      { class: "roll-quantity figures" },
      `${quantity(line.quantity, language)}${unit} × ${priceText(price, workshopCurrency.value, language)}${
        tax && ` · ${tax}`
      }`,
    ),
    span({ class: "roll-sum figures" }, amount(sum, workshopCurrency.value, language)),
  );
}

/**
 * Sums, one a row; the total stands below a double rule, and what is part of it below the total.
 * @param {{ rows: readonly [string, string][], total: [string, string], within?: readonly (readonly [string, string])[], currency?: string }} props
 */
export function sums({ rows, total, within = [], currency = workshopCurrency.value }) {
  const shown = (/** @type {string} */ value) => amount(value, currency, wordsLanguage.value);
  const row = (/** @type {readonly [string, string]} */ [label, value]) => [
    dt({}, label),
    dd({ class: "figures" }, shown(value)),
  ];
  return dl(
    { class: "sums" },
    ...rows.flatMap(row),
    dt({ class: "total" }, total[0]),
    dd({ class: "total figures" }, shown(total[1])),
    ...within.flatMap(row),
  );
}
