// What is due and how to pay it: a code for the app of a bank, the transfer to copy, and a link. On both client pages.

import { el, loadModule } from "./elements.js";
import { isZero, minorDigits, money } from "./figures.js";

const { PAYMENT_TEXTS } = await loadModule("./payment_texts.js");
// Its rules come with it, so that it is never shown without them.
await new Promise((done) => document.head.append(el("link", { rel: "stylesheet", href: "/e/payment.css", onload: done, onerror: done })));

const SVG = "http://www.w3.org/2000/svg";
const VIEW_BOX = /viewBox="([\d ]+)"/;
const PATH = /<path d="([^"<>]*)" fill="(#[\da-f]+)"/g;
const NOTE_MS = 4000;

/** `requestCode` requests the code as SVG; `what` is due, if not all. Once it is paid, only that is said. */
export function payment(paid, locale, what, requestCode) {
  const texts = PAYMENT_TEXTS[locale];
  const due = String(paid.due);
  const amount = money(due, paid.currency, locale);
  if (isZero(due)) return el("p", { class: "strong paid" }, texts.paid);
  return el(
    "section",
    { class: "payment", "aria-labelledby": "payment-title" },
    el("h2", { id: "payment-title" }, what ? `${what}: ${texts.due.toLowerCase()}` : texts.due),
    el("p", { class: "due figure" }, amount),
    paid.link && el("div", { class: "buttons" }, el("a", { class: "main", href: paid.link, rel: "noopener noreferrer" }, texts.link)),
    paid.code && code(texts, requestCode),
    paid.iban && transfer(paid, amount, plain(due, paid.currency, locale), texts),
  );
}

/** Drawn from the paths of the SVG, so that the page needs no source of images and parses no markup. */
function code(texts, requestCode) {
  const place = el("div", { class: "code" });
  load(place, texts, requestCode);
  return el("figure", { class: "code-part" }, place, el("figcaption", { class: "second" }, texts.scan));
}

async function load(place, texts, requestCode) {
  const response = await requestCode();
  if (!response?.ok) return;
  const drawn = await response.text();
  const shown = document.createElementNS(SVG, "svg");
  shown.setAttribute("viewBox", VIEW_BOX.exec(drawn)[1]);
  shown.setAttribute("role", "img");
  shown.setAttribute("aria-label", texts.code);
  for (const [, d, fill] of drawn.matchAll(PATH)) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    path.setAttribute("fill", fill);
    shown.append(path);
  }
  place.replaceChildren(shown);
}

/** The amount as a bank's form takes it: without a sign for thousands. */
function plain(due, currency, locale) {
  const [whole, decimals = ""] = due.split(".");
  const digits = minorDigits(currency);
  return digits ? whole + (locale === "pl" ? "," : ".") + decimals.padEnd(digits, "0") : whole;
}

function transfer({ iban, accountName, title }, amount, typed, texts) {
  const rows = [
    [texts.name, accountName, accountName],
    [texts.iban, iban.match(/.{1,4}/g).join(" "), iban],
    [texts.amount, amount, typed],
    [texts.title, title, title],
  ];
  const note = el("p", { class: "second", role: "status" });
  return el(
    "div",
    {},
    el("dl", { class: "transfer" }, rows.map(([label, shown, copied]) => row(label, shown, copied, texts, note))),
    note,
  );
}

function row(label, shown, copied, texts, note) {
  const copy = async () => {
    await navigator.clipboard.writeText(copied);
    note.textContent = texts.copied(label);
    setTimeout(() => (note.textContent = ""), NOTE_MS);
  };
  return el(
    "div",
    {},
    el("dt", {}, label),
    el("dd", { class: "figure" }, shown),
    navigator.clipboard && el("button", { class: "copy", "aria-label": `${texts.copy}: ${label}`, onclick: copy }, texts.copy),
  );
}
