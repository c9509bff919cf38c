// Invoices: what an order is invoiced with next, the order of their list, and what a draft lacks.

import {
  inOrder,
  isDay,
  isNip,
  lacking,
  nextKinds,
  priceOf,
  stateOf,
  usualPattern,
} from "../../../src/backbench/web/app/domain/invoices.js";
import { same } from "./expect.js";

const TODAY = "2026-11-29";

/** @param {string} id @param {Partial<Api.Invoice>} [more] @returns {Api.Invoice} */
const invoice = (id, more = {}) => ({
  id,
  workshopId: "w",
  orderId: "o",
  kind: "invoice",
  state: "issued",
  currency: "PLN",
  pricesShown: "net",
  seller: { name: "Stolarnia", country: "PL", taxId: "734-293-88-41", address: "ul. Młyńska 14" },
  buyer: { name: "Meblex", country: "PL", taxId: "5252248481" },
  lines: [{ label: "Blat", unit: "piece", quantity: 1, unitPrice: 100, amount: 100, tax: 23 }],
  taxes: [],
  subtotal: 100,
  markup: 0,
  discount: 0,
  net: 100,
  tax: 23,
  total: 123,
  paid: 0,
  toPay: 123,
  createdAt: `2026-11-0${id}T09:00:00.000Z`,
  createdByUid: "u",
  ...more,
});

const draft = (/** @type {string} */ id, /** @type {Partial<Api.Invoice>} */ more = {}) =>
  invoice(id, { state: "draft", toPay: 0, ...more });

/** @param {string} id @param {Api.Invoice} of @param {number} quantity of its line */
const correction = (id, of, quantity) => {
  const none = { net: 0, tax: 0, total: 0, taxes: [] };
  const corrects = {
    invoiceId: of.id,
    number: "FV 1/2026",
    reason: "7 → 6",
    issueDate: "2026-11-01",
    kind: of.kind,
    before: none,
    difference: none,
  };
  const lines = of.lines.map((line) => ({ ...line, quantity }));
  return invoice(id, { kind: "correction", lines, toPay: 0, issuedAt: `2026-11-1${id}`, corrects });
};

Deno.test("an order is invoiced once; with an issued advance by a final invoice", () => {
  same(nextKinds([]), ["invoice", "advance"]);
  same(nextKinds([invoice("1")]), []);
  same(nextKinds([draft("1")]), ["advance"]);
  const advance = invoice("1", { kind: "advance" });
  same(nextKinds([advance]), ["final", "advance"]);
  same(nextKinds([draft("1", { kind: "advance" })]), ["invoice", "advance"]);
  same(nextKinds([advance, draft("2", { kind: "final" })]), ["advance"]);
  same(nextKinds([advance, invoice("2", { kind: "final" })]), []);
  // Of which the advances were all.
  same(nextKinds([advance, invoice("2", { kind: "final", total: 0 })]), []);
});

Deno.test("an order whose invoice is corrected to nothing can be invoiced anew", () => {
  const first = invoice("1");
  same(nextKinds([first, correction("2", first, 0.5)]), []);
  same(nextKinds([first, correction("2", first, 0.5), correction("3", first, 0)]), ["invoice", "advance"]);
  same(nextKinds([first, { ...correction("2", first, 0), state: "draft" }]), []);
});

Deno.test("what waits for money comes first, the longest overdue before all, then drafts", () => {
  const found = inOrder([
    invoice("1", { toPay: 0, paid: 123, issuedAt: "2026-11-01" }),
    draft("2"),
    invoice("3", { dueDate: "2026-12-01" }),
    invoice("4", { dueDate: "2026-11-20" }),
    invoice("5", { dueDate: "2026-11-10" }),
    invoice("6", { toPay: 0, paid: 123, issuedAt: "2026-11-02" }),
  ], TODAY);
  same(found.map(({ id }) => id), ["5", "4", "3", "2", "6", "1"]);
});

Deno.test("an invoice is overdue after its day, and one of nothing is neither paid nor to be paid", () => {
  same(stateOf(invoice("1", { dueDate: TODAY }), TODAY), "unpaid");
  same(stateOf(invoice("1", { dueDate: "2026-11-28" }), TODAY), "overdue");
  same(stateOf(invoice("1", { toPay: 0, paid: 123 }), TODAY), "paid");
  same(stateOf(invoice("1", { toPay: 0 }), TODAY), "issued");
  same(stateOf(draft("1"), TODAY), "draft");
});

Deno.test("a draft says what a file for KSeF would lack, before it is too late", () => {
  same(lacking(draft("1"), undefined), []);
  const bare = draft("1", { seller: { name: "Stolarnia" }, buyer: { name: " " } });
  same(lacking(bare, undefined), [
    "/seller/country",
    "/seller/taxId",
    "/seller/address",
    "/buyer/name",
    "/buyer/taxId",
    "/buyer/country",
  ]);
  same(lacking(draft("1", { buyer: { name: "Jan Kos", isConsumer: true } }), undefined), []);
  const exempt = draft("1", {
    lines: [{ label: "Blat", unit: "piece", quantity: 1, amount: 1, tax: "exempt" }],
  });
  same(lacking(exempt, undefined), ["/exemptReason"]);
  same(lacking(exempt, "art. 113"), []);
});

Deno.test("a Polish tax number is distinguished from one with a typing error by its last digit", () => {
  same(["525-224-84-81", "PL 5252248481", "NIP: 525 224 84 81"].map(isNip), [true, true, true]);
  same(["5252248482", "525224848", "", "IE1234567T"].map(isNip), [false, false, false, false]);
});

Deno.test("the price of an order without an estimate never invoices more than was agreed", () => {
  same(priceOf("123", "gross", 23, "PLN"), 123);
  same(priceOf("123", "net", 23, "PLN"), 100);
  same(priceOf("100", "net", 23, "PLN"), 81.3);
  same(priceOf("100", "net", undefined, "PLN"), 100);
  same(priceOf("1000", "net", 8, "JPY"), 925);
});

Deno.test("numbers have the beginnings of the country where the settings say nothing", () => {
  same(usualPattern("correction", "PL"), "KOR {n}/{year}");
  same(usualPattern("invoice", undefined), "INV {n}/{year}");
});

Deno.test("days that FA(3) does not take are named, and a year that was typed in part is no day", () => {
  same(lacking(draft("1", { saleDate: "2005-12-31", dueDate: "2016-06-30" }), undefined), [
    "/saleDate",
    "/dueDate",
  ]);
  same(lacking(draft("1", { saleDate: "2006-01-01", dueDate: "2050-01-01" }), undefined), []);
  same(["0026-11-30", "0202-11-30", "1999-11-30", "2100-01-01", ""].map(isDay), [
    false,
    false,
    false,
    false,
    false,
  ]);
  same(["2000-01-01", "2099-12-31"].map(isDay), [true, true]);
});
