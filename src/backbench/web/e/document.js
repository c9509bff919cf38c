// The document as text: the same contents and figures as the PDF, in the order of the PDF.

import { el, loadModule } from "./elements.js";
import { day, hasSign, isZero, percent, price, quantity } from "./figures.js";
import { isGross, isTaxed, priceWords, shortTaxLabel, sumTexts } from "./sums.js";
import { typeset } from "./texts.js";

const MARKS = { accepted: "✓", declined: "✕", superseded: "↻", expired: "◷" };
const MISSING = "–";
// Characters of the figures in a row for which a desk has space.
const MOST_FIGURES = 36;

export function documentParts(view) {
  return el("article", { "aria-labelledby": "title" }, head(view), lines(view), sums(view), conditions(view), letterhead(view), files(view));
}

// --- Head

function head({ estimate, texts, locale, change }) {
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
    el("div", { class: "kind" }, el("p", {}, el("b", {}, inPieces(kind, /(?<=\/)/)), ` · ${texts.revision} ${estimate.revisionNumber}`), stamp(estimate, texts)),
    el("h1", { id: "title", class: `title-${estimate.letterhead.titleFont}`, lang: estimate.locale }, typeset(estimate.name, estimate.locale)),
    el(
      "dl",
      { class: "facts" },
      facts.filter(([, text]) => text).map(([label, text, isWide]) =>
        el("div", { class: isWide ? "wide" : null }, el("dt", {}, label), el("dd", {}, text)),
      ),
    ),
    change && el("p", { class: "strong" }, change),
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

function lines({ estimate, texts, locale }) {
  const hasQuantities = estimate.lines.some((line) => line.quantity !== undefined);
  // Without the breakdown there is one line, which would only repeat the title.
  if (!hasQuantities) return null;
  const tax = shortTaxLabel(estimate, texts);
  const currency = hasSign(estimate.currency, locale) ? "" : `, ${estimate.currency}`;
  const shows = {
    prices: estimate.breakdown !== "unpriced",
    rates: estimate.lines.some((line) => line.taxPercent !== undefined || line.taxKind !== undefined),
    gross: estimate.lines.some((line) => line.grossAmount !== undefined),
  };
  const headings = [
    texts.label,
    texts.quantity,
    shows.rates && tax,
    shows.prices && priceWords(estimate, texts, "price") + currency,
    shows.prices && priceWords(estimate, texts, "amount") + currency,
    shows.gross && texts.gross.amount(tax) + currency,
  ].filter(Boolean);
  const { sections = [] } = estimate;
  const rows = estimate.lines.flatMap((line, at) => [
    sectionHeading(sections.find((section) => section.first === at), estimate, headings.length),
    el("tr", { role: "row" }, el("th", { scope: "row", role: "rowheader", lang: estimate.locale }, el("span", { class: "position" }, `${at + 1}.`), typeset(line.label, estimate.locale)), lineCells(line, shows, { estimate, texts, locale, tax })),
    sectionSum(sections.find((section) => section.first + section.lines === at + 1), { estimate, texts, locale }, headings.length, shows),
  ]);
  // Roles, because some browsers drop those of a table whose rows are laid out as a grid on phones.
  const table = el(
    "table",
    { class: "lines", role: "table" },
    el("caption", {}, texts.linesCaption),
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, headings.map((text) => el("th", { scope: "col", role: "columnheader" }, text)))),
    el("tbody", { role: "rowgroup" }, rows.filter(Boolean)),
  );
  table.style.setProperty("--figures", `${figureSize(table)}em`);
  return table;
}

/** In em: smaller for figures that are too long to be next to each other, as in the PDF. */
function figureSize(table) {
  const longest = (name) => Math.max(0, ...[...table.querySelectorAll(`td.${name}`)].map((each) => each.firstChild.length));
  return Math.min(1, MOST_FIGURES / (longest("price") + longest("amount") + longest("gross")));
}

function lineCells(line, shows, { estimate, texts, locale, tax }) {
  const isOption = isZero(line.quantity);
  const cells = [cell(isOption ? "quantity option" : "quantity", isOption ? texts.optional : quantity(line.quantity, line.unit, locale))];
  if (!shows.prices) return cells;
  if (shows.rates) cells.push(cell("rate", [onPhone(`${tax} `), line.taxKind ? texts.shortKinds[line.taxKind] : percent(line.taxPercent ?? "0", locale)]));
  const [unitPrice, amount] = priceAndAmount(line, estimate, texts, locale);
  const isPriced = unitPrice !== MISSING && unitPrice !== texts.free;
  const mark = isTaxed(estimate) && texts[isGross(estimate) ? "gross" : "net"].mark(tax);
  cells.push(cell(unitPrice === MISSING ? "price missing" : "price", [unitPrice, isPriced && mark && onPhone(` ${mark}`)]), cell("amount", amount));
  if (shows.gross) cells.push(grossCell(line, estimate, texts, locale, tax));
  return cells;
}

function sectionHeading(section, estimate, columns) {
  return section && el("tr", { class: "section", role: "row" }, el("th", { scope: "rowgroup", role: "rowheader", colspan: columns, lang: estimate.locale }, typeset(section.heading, estimate.locale)));
}

function sectionSum(section, { estimate, texts, locale }, columns, shows) {
  if (!section || section.amount === undefined) return null;
  const amounts = [cell("amount", figure(section.amount, estimate, locale)), shows.gross && cell("gross", figure(section.grossAmount, estimate, locale))];
  const heading = el("th", { scope: "row", role: "rowheader", colspan: columns - amounts.filter(Boolean).length }, texts.sectionSum(section.heading));
  return el("tr", { class: "subtotal", role: "row" }, heading, amounts);
}

/** What the headings say, on phones, which do not show them. */
const onPhone = (text) => el("span", { class: "phone" }, text);

const cell = (name, text) => el("td", { class: name, role: "cell" }, text);

/** A price of 0 is free of charge; a quantity of 0 is an option, which has no amount. */
function priceAndAmount(line, estimate, texts, locale) {
  if (line.unitPrice === undefined) return [MISSING, figure(line.amount, estimate, locale)];
  const isFree = isZero(line.unitPrice);
  if (isZero(line.quantity)) return [isFree ? texts.free : figure(line.unitPrice, estimate, locale), MISSING];
  return isFree ? [MISSING, texts.free] : [figure(line.unitPrice, estimate, locale), figure(line.amount, estimate, locale)];
}

function grossCell(line, estimate, texts, locale, tax) {
  if (isZero(line.quantity)) return cell("gross missing", MISSING);
  // Said of the amount already, where a phone shows both.
  if (line.unitPrice !== undefined && isZero(line.unitPrice)) return cell("gross missing", texts.free);
  return cell("gross", [figure(line.grossAmount, estimate, locale), onPhone(` ${texts.gross.mark(tax)}`)]);
}

const figure = (amount, { currency }, locale) => price(amount, currency, locale);

// --- Sums

function sums({ estimate, texts, locale }) {
  const { above, total, included, deposit } = sumTexts(estimate, texts, locale);
  const row = (name, [label, text]) =>
    el("tr", { class: name, role: "row" }, el("th", { scope: "row", role: "rowheader" }, label), el("td", { role: "cell" }, text));
  const rows = [...above.map((each) => row(null, each)), row("total", total), ...included.map((each) => row("included", each)), ...deposit.map((each) => row("deposit", each))];
  return [
    el("table", { class: "sums", role: "table" }, el("caption", {}, texts.sumsCaption), el("tbody", { role: "rowgroup" }, rows)),
    estimate.taxNote?.trim() && el("p", { class: "text tax-note", lang: estimate.locale }, typeset(estimate.taxNote, estimate.locale)),
  ];
}

// --- Terms, letterhead, files

function conditions({ estimate, texts }) {
  const { letterhead } = estimate;
  const entries = [
    [texts.leadTime, estimate.leadTime],
    ["", estimate.terms],
    ["", estimate.withdrawal],
    [texts.account, letterhead.iban],
    [texts.reference, letterhead.iban && estimate.number && `${texts.kind} ${estimate.number}`],
    ["", letterhead.footer],
  ].filter(([, text]) => text?.trim());
  if (!entries.length) return null;
  return el(
    "section",
    { class: "conditions" },
    el("h2", {}, texts.conditions),
    entries.map(([label, text]) => el("p", { class: "text" }, label && el("b", {}, `${label}: `), el("span", { lang: estimate.locale }, text === letterhead.iban ? inGroups(text) : typeset(text, estimate.locale)))),
    estimate.withdrawalForm && el("details", { lang: estimate.locale }, el("summary", {}, estimate.withdrawalForm.split("\n")[0]), el("p", { class: "text" }, estimate.withdrawalForm.replace(/.*\n/, ""))),
  );
}

/** A bank account breaks between its groups of four, never inside one. */
const inGroups = (iban) => inPieces(iban.replace(/\s/g, "").replace(/.{4}(?=.)/g, "$& "), /(?= )/);

/** A text that breaks only where it is split: a number not at its hyphens. */
const inPieces = (text, between) => text.split(between).flatMap((piece) => [piece.startsWith(" ") && " ", el("span", { class: "group" }, piece.trim())]);

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

// Outlives a redraw: pictures are loaded once.
let pages = {};

function files({ estimate, texts }) {
  if (pages.pdfHash !== estimate.pdfHash) {
    pages = { pdfHash: estimate.pdfHash, count: 0, box: el("div", { class: "pages", id: "pages", hidden: true }) };
  }
  const shown = pages;
  const { box } = shown;
  const note = el("p", { class: "error", role: "status" });
  const failed = (text) => (note.textContent = text);
  const withPdf = (use) => {
    failed("");
    loadModule("./pdf.js").then(use).catch(() => failed(texts.sentFailed));
  };
  const download = el("button", { onclick: () => withPdf((pdf) => pdf.download(download, failed)) }, texts.pdf);
  const toggle = el("button", { "aria-controls": "pages" });
  const label = () => {
    toggle.textContent = box.hidden ? texts.pages : texts.hidePages;
    toggle.setAttribute("aria-expanded", String(!box.hidden));
  };
  toggle.addEventListener("click", () => {
    box.hidden = !box.hidden;
    label();
    if (!box.hidden && !shown.count) withPdf((pdf) => pdf.drawPages(shown, texts, failed));
  });
  label();
  if (shown.count) withPdf((pdf) => pdf.caption(shown, texts));
  return el("section", { class: "files" }, el("div", { class: "buttons" }, download, toggle), note, box);
}
