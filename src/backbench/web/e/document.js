// The document as text: the same contents and figures as the PDF, in the order of the PDF.

import { el } from "./elements.js";
import { day, hasSign, isZero, money, percent, price, quantity } from "./figures.js";
import { typeset } from "./texts.js";

const LONGEST_TAX_LABEL = 12;
const MARKS = { accepted: "✓", declined: "✕", superseded: "↻", expired: "◷" };
const MISSING = "–";

export function documentParts(view, actions) {
  return el("article", { "aria-labelledby": "title" }, head(view), lines(view), sums(view), conditions(view), letterhead(view), files(view, actions));
}

// --- Head

function head({ estimate, texts, locale }) {
  const { recipient = {} } = estimate;
  const kind = [texts.kind, estimate.number].filter(Boolean).join(" ");
  const client = [recipient.name, recipient.address, recipient.taxId && taxId(recipient.taxId, texts, locale), recipient.email, recipient.phone];
  const facts = [
    [texts.recipient, client.filter(Boolean).join("\n"), true],
    [texts.site, recipient.siteAddress, true],
    [texts.issued, date(estimate.issuedOn, locale)],
    [texts.valid, estimate.validUntil && date(estimate.validUntil, locale)],
  ];
  return [
    el("div", { class: "kind" }, el("p", {}, el("b", {}, kind), ` · ${texts.revision} ${estimate.revisionNumber}`), stamp(estimate, texts)),
    el("h1", { id: "title", class: `title-${estimate.letterhead.titleFont}`, lang: estimate.locale }, estimate.name),
    el(
      "dl",
      { class: "facts" },
      facts.filter(([, text]) => text).map(([label, text, isWide]) =>
        el("div", { class: isWide ? "wide" : null }, el("dt", {}, label), el("dd", {}, text)),
      ),
    ),
    estimate.state === "superseded" && el("p", { class: "strong" }, texts.supersededText),
    estimate.intro && el("p", { class: "text", lang: estimate.locale }, typeset(estimate.intro, estimate.locale)),
  ];
}

/** A date breaks, where it has to, between its words. */
const date = (value, locale) => el("time", { datetime: value }, day(value, locale).replaceAll("\u00a0", " "));

function stamp({ state }, texts) {
  const word = texts.states[state];
  return word && el("p", { class: `stamp ${state}` }, el("span", { "aria-hidden": "true" }, MARKS[state]), ` ${word}`);
}

// --- Lines

function isTaxed({ sums }) {
  return sums.tax !== undefined || sums.taxes.length > 0;
}

function taxLabel({ sums }, texts) {
  return sums.taxLabel || texts.tax;
}

/** The label of the tax in a heading: the usual one where the workshop's own is too long. */
function shortTaxLabel(estimate, texts) {
  const label = taxLabel(estimate, texts);
  return label.length <= LONGEST_TAX_LABEL ? label : texts.tax;
}

function lines({ estimate, texts, locale }) {
  const tax = shortTaxLabel(estimate, texts);
  const currency = hasSign(estimate.currency, locale) ? "" : `, ${estimate.currency}`;
  const amountHeading = (isTaxed(estimate) ? texts.netAmount(tax) : texts.amount) + currency;
  const priceHeading = (isTaxed(estimate) ? texts.netPrice(tax) : texts.price) + currency;
  const hasQuantities = estimate.lines.some((line) => line.quantity !== undefined);
  const hasRates = estimate.lines.some((line) => line.taxPercent !== undefined);
  const headings = [texts.label];
  if (hasQuantities) headings.push(texts.quantity, ...(hasRates ? [tax] : []), priceHeading);
  headings.push(amountHeading);
  const rows = estimate.lines.map((line, at) => {
    const label = hasQuantities ? [el("span", { class: "position" }, `${at + 1}.`), line.label] : [line.label];
    const cells = [];
    if (hasQuantities) {
      const isOption = isZero(line.quantity);
      cells.push(cell(isOption ? "quantity option" : "quantity", isOption ? texts.optional : quantity(line.quantity, line.unit, locale)));
      if (hasRates) cells.push(cell("rate", line.taxPercent === undefined ? "" : [onPhone(`${tax} `), percent(line.taxPercent, locale)]));
      const [unitPrice, amount] = priceAndAmount(line, estimate, texts, locale);
      const isPriced = unitPrice !== MISSING && unitPrice !== texts.free;
      const shownPrice = [unitPrice, isPriced && isTaxed(estimate) && onPhone(` ${texts.isNet(tax)}`)];
      cells.push(cell(unitPrice === MISSING ? "price missing" : "price", shownPrice), cell("amount", amount));
    } else {
      cells.push(cell("amount", figure(line.amount, estimate, locale)));
    }
    return el("tr", { role: "row" }, el("th", { scope: "row", role: "rowheader", lang: estimate.locale }, label), cells);
  });
  // Roles, because some browsers drop those of a table whose rows are laid out as a grid on phones.
  return el(
    "table",
    { class: hasQuantities ? "lines" : "lines short", role: "table" },
    el("caption", {}, texts.linesCaption),
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, headings.map((text) => el("th", { scope: "col", role: "columnheader" }, text)))),
    el("tbody", { role: "rowgroup" }, rows),
  );
}

/** What the headings say, on phones, which do not show them. */
const onPhone = (text) => el("span", { class: "phone" }, text);

const cell = (name, text) => el("td", { class: name, role: "cell" }, text);

/** A price of 0 is free of charge; a quantity of 0 is an option, which has no amount. */
function priceAndAmount(line, estimate, texts, locale) {
  if (line.unitPrice === undefined) return [MISSING, figure(line.amount, estimate, locale)];
  const isFree = isZero(line.unitPrice);
  if (isZero(line.quantity)) return [isFree ? texts.free : unitPrice(line, estimate, locale), MISSING];
  return isFree ? [MISSING, texts.free] : [unitPrice(line, estimate, locale), figure(line.amount, estimate, locale)];
}

const unitPrice = (line, estimate, locale) => figure(line.unitPrice, estimate, locale);
const figure = (amount, { currency }, locale) => price(amount, currency, locale);

// --- Sums

/** What the total is called: with tax or without. */
export const totalLabel = (estimate, texts) => (isTaxed(estimate) ? texts.totalWithTax(shortTaxLabel(estimate, texts)) : texts.total);

function sums({ estimate, texts, locale }) {
  const { sums } = estimate;
  const [tax, isWithTax] = [taxLabel(estimate, texts), isTaxed(estimate)];
  const rows = [];
  if (sums.markup || sums.discount) rows.push([isWithTax ? texts.netSubtotal : texts.subtotal, sums.subtotal]);
  if (sums.markup) rows.push([`${texts.markup} ${percent(sums.markup.percent, locale)}`, sums.markup.amount]);
  if (sums.discount) rows.push([`${texts.discount} ${percent(sums.discount.percent, locale)}`, `-${sums.discount.amount}`]);
  if (isWithTax) rows.push([texts.net(shortTaxLabel(estimate, texts)), sums.net]);
  if (sums.tax) rows.push([`${tax} ${percent(sums.tax.percent, locale)}`, sums.tax.amount]);
  for (const each of sums.taxes) {
    rows.push([texts.taxOf(tax, percent(each.percent, locale), figure(each.net, estimate, locale)), each.amount]);
  }
  const row = (name, label, text) =>
    el("tr", { class: name, role: "row" }, el("th", { scope: "row", role: "rowheader" }, label), el("td", { role: "cell" }, text));
  const total = totalLabel(estimate, texts);
  return el(
    "table",
    { class: "sums", role: "table" },
    el("caption", {}, texts.sumsCaption),
    el(
      "tbody",
      { role: "rowgroup" },
      rows.map(([label, amount]) => row(null, label, figure(amount, estimate, locale))),
      row("total", total, money(sums.total, estimate.currency, locale)),
      sums.deposit && row("deposit", texts.deposit(percent(sums.deposit.percent, locale)), figure(sums.deposit.amount, estimate, locale)),
    ),
  );
}

// --- Terms, letterhead, files

function conditions({ estimate, texts }) {
  const { letterhead } = estimate;
  const entries = [
    ["", estimate.taxNote],
    [texts.leadTime, estimate.leadTime],
    ["", estimate.terms],
    [texts.account, letterhead.iban],
    ["", letterhead.footer],
  ].filter(([, text]) => text?.trim());
  if (!entries.length) return null;
  return el(
    "section",
    { class: "conditions" },
    el("h2", {}, texts.conditions),
    entries.map(([label, text]) => el("p", { class: "text" }, label && el("b", {}, `${label}: `), el("span", { lang: estimate.locale }, text === letterhead.iban ? inGroups(text) : typeset(text, estimate.locale)))),
  );
}

/** A bank account breaks between its groups of four, never inside one. */
function inGroups(iban) {
  const groups = iban.replace(/\s/g, "").match(/.{1,4}/g) ?? [];
  return groups.flatMap((group, at) => [at > 0 && " ", el("span", { class: "group" }, group)]);
}

function letterhead({ estimate, texts, locale }) {
  const { name, crafterName, address, website, taxId: id, registration } = estimate.letterhead;
  const details = [crafterName, address, website, id && taxId(id, texts, locale), registration].filter(Boolean);
  return el("address", { lang: estimate.locale }, el("b", {}, name), details.map((text) => `\n${text}`));
}

/** The tax id with its name, as in the PDF: NIP for a Polish one, a VAT number with another country's prefix. */
function taxId(id, texts, locale) {
  if (!/^(?:[A-Z]{2} ?)?[A-Z]?\d/.test(id)) return id;
  const prefix = /^[A-Z]{2}/.exec(id)?.[0];
  const isForeign = prefix && (prefix !== "PL" || locale !== "pl");
  const name = isForeign ? texts.vatNumber : id.replace(/\D/g, "").length === 10 ? texts.polishTaxId : texts.taxId;
  return `${name}\u00a0${id}`;
}

// Outlives a redraw of the page: the pictures are loaded once.
const shown = { box: el("div", { class: "pages", id: "pages", hidden: true }), count: 0 };

function files({ texts }, actions) {
  const note = el("p", { class: "error", role: "status" });
  const download = el("button", { onclick: () => actions.download(download, (text) => (note.textContent = text)) }, texts.pdf);
  const toggle = el("button", { "aria-controls": "pages" });
  const label = () => {
    toggle.textContent = shown.box.hidden ? texts.pages : texts.hidePages;
    toggle.setAttribute("aria-expanded", String(!shown.box.hidden));
  };
  toggle.addEventListener("click", async () => {
    shown.box.hidden = !shown.box.hidden;
    label();
    note.textContent = "";
    if (!shown.box.hidden && !shown.count) await drawPages(actions, texts).catch((error) => (note.textContent = error.message));
  });
  label();
  caption(texts);
  return el("section", { class: "files" }, el("div", { class: "buttons" }, download, toggle), note, shown.box);
}

/** Draws the pages one after another. Pictures are drawn on a canvas, so that the page needs no other source of images. */
async function drawPages(actions, texts) {
  const width = Math.round(Math.min(1600, Math.max(320, shown.box.clientWidth * devicePixelRatio)));
  let count = 1;
  shown.box.replaceChildren();
  for (let page = 1; page <= count; page += 1) {
    const [picture, pages] = await actions.picture(page, width);
    count = pages;
    const canvas = el("canvas", { role: "img", width: picture.width, height: picture.height });
    canvas.getContext("2d").drawImage(picture, 0, 0);
    shown.box.append(el("figure", {}, canvas, el("figcaption")));
    caption(texts, count);
  }
  shown.count = count;
}

function caption(texts, count = shown.count) {
  for (const [at, figure] of [...shown.box.children].entries()) {
    figure.firstChild.setAttribute("aria-label", texts.pagePicture(at + 1, count));
    figure.lastChild.textContent = texts.pageOf(at + 1, count);
  }
}

