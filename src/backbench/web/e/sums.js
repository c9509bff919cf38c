// The sums of the document as texts, equal to those of its PDF (integrations/pdf/sums.py).

import { money, percent, price } from "./figures.js";

const LONGEST_TAX_LABEL = 12;
const MISSING = "–";

/** Whether net and gross differ: there is a tax that is a rate. */
export const isTaxed = ({ sums }) => sums.tax !== undefined || sums.taxes.some((tax) => tax.percent !== undefined);
export const isGross = (estimate) => isTaxed(estimate) && estimate.sums.prices === "gross";

const taxLabel = ({ sums }, texts) => sums.taxLabel || texts.tax;

/** The label of the tax in a heading: the usual one where the workshop's own is too long. */
export function shortTaxLabel(estimate, texts) {
  const label = taxLabel(estimate, texts);
  return label.length <= LONGEST_TAX_LABEL ? label : texts.tax;
}

/** The label of a price, an amount or a subtotal, by whether it includes the tax. */
export function priceWords(estimate, texts, name) {
  if (!isTaxed(estimate)) return texts[name];
  const words = texts[isGross(estimate) ? "gross" : "net"][name];
  return words(shortTaxLabel(estimate, texts));
}

/** What the total is called: with tax or without. */
export const totalLabel = (estimate, texts) => (isTaxed(estimate) ? texts.totalWithTax(shortTaxLabel(estimate, texts)) : texts.total);

/** Rows of label and figure: above the total, the total, the taxes in a gross one, and the deposit with its balance. */
export function sumTexts(estimate, texts, locale) {
  const figure = (amount) => price(amount, estimate.currency, locale);
  const isWithin = isGross(estimate);
  return {
    above: [...rowsAbove(estimate, texts, locale, figure), ...(isWithin ? [] : taxRows(estimate, texts, locale, figure))],
    total: [totalLabel(estimate, texts), money(estimate.sums.total, estimate.currency, locale)],
    included: isWithin ? includedRows(estimate, texts, locale, figure) : [],
    deposit: depositRows(estimate.sums.deposit, texts, locale, figure),
  };
}

function rowsAbove(estimate, texts, locale, figure) {
  const { markup, discount, net, subtotal } = estimate.sums;
  const rows = [];
  if (markup || discount) rows.push([priceWords(estimate, texts, "subtotal"), figure(subtotal)]);
  if (markup) rows.push([`${texts.markup} ${percent(markup.percent, locale)}`, figure(markup.amount)]);
  if (discount) rows.push([`${texts.discount} ${percent(discount.percent, locale)}`, figure(`-${discount.amount}`)]);
  if (isTaxed(estimate) && !isGross(estimate)) rows.push([texts.netTotal(shortTaxLabel(estimate, texts)), figure(net)]);
  return rows;
}

function taxRows(estimate, texts, locale, figure) {
  const { tax, taxes } = estimate.sums;
  const label = taxLabel(estimate, texts);
  const rows = tax ? [[`${label} ${percent(tax.percent, locale)}`, figure(tax.amount)]] : [];
  for (const each of taxes) {
    if (each.percent !== undefined) {
      rows.push([texts.taxOf(label, percent(each.percent, locale), figure(each.net)), figure(each.amount)]);
    } else {
      const kind = texts.kinds[each.kind](label);
      rows.push([taxes.length === 1 ? kind : texts.kindOf(kind, figure(each.net)), MISSING]);
    }
  }
  return rows;
}

/** The taxes in a gross total, and the parts of it that have none. */
function includedRows(estimate, texts, locale, figure) {
  const { sums } = estimate;
  const rated = { ...estimate, sums: { ...sums, taxes: sums.taxes.filter(({ kind }) => kind === undefined) } };
  return [
    ...taxRows(rated, texts, locale, figure).map(([label, text]) => [texts.included(label), text]),
    ...sums.taxes.filter(({ kind }) => kind !== undefined).map(({ kind, net }) => [
      texts.parts[kind](taxLabel(estimate, texts)),
      figure(net),
    ]),
  ];
}

function depositRows(deposit, texts, locale, figure) {
  if (!deposit) return [];
  const rows = [[depositLabel(deposit, texts, locale), figure(deposit.amount)]];
  if (deposit.balance && deposit.balance !== "0") rows.push([texts.balance, figure(deposit.balance)]);
  return rows;
}

/** Documents of an earlier release do not say what their deposit is. */
export function depositLabel({ kind, percent: share }, texts, locale) {
  const text = share === undefined ? "" : percent(`${Math.round(Math.round(share * 1e4) / 100) / 100}`, locale);
  return kind === undefined ? texts.deposit(text) : texts.withOrder(`${texts.depositKinds[kind]} ${text}`.trim());
}
