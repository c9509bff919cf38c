import { difference, isEmpty } from "../../../src/backbench/web/app/domain/differences.js";
import { holds, same } from "./expect.js";

/** @param {number} quantity */
const worktop = (quantity) => ({ id: "w", label: "Worktop", unit: "linear_m", unitPrice: 268.5, quantity });
const hinges = { id: "h", label: "Hinges", unit: "pair", unitPrice: 14.9, quantity: 2 };
const fitting = { id: "f", label: "Fitting", unit: "hour", unitPrice: 48, quantity: 3 };

Deno.test("a difference names the lines that were added, removed and changed", () => {
  const found = difference(
    { lineItems: [worktop(4), hinges], markupPercent: 5 },
    { lineItems: [worktop(4.4), fitting], markupPercent: "5.0" },
    "EUR",
  );
  same(found.lines.map(({ kind, id, change, fields }) => [kind, id, change, ...fields]), [
    ["changed", "w", "107.40", "quantity"],
    ["added", "f", "144.00"],
    ["removed", "h", "-29.80"],
  ]);
  same([found.markupPercent, found.totalBefore, found.totalAfter, found.change], [
    null,
    "1158.99",
    "1391.67",
    "232.68",
  ]);
});

Deno.test("only what differs is a difference", () => {
  const lineItems = [worktop(4), hinges];
  holds(
    isEmpty(difference({ lineItems }, { lineItems: [{ ...worktop(4), quantity: "4.0" }, hinges] }, "EUR")),
  );
  const moved = difference({ lineItems }, { lineItems: [hinges, worktop(4)] }, "EUR");
  same([moved.isMoved, moved.lines.length, isEmpty(moved)], [true, 0, false]);
  const discounted = difference({ lineItems }, { lineItems, discountPercent: 5 }, "EUR");
  same(discounted.discountPercent, { before: "0", after: "5" });
});

Deno.test("lines differ by the amounts that are shown, where those are known", () => {
  const before = {
    lineItems: [worktop(4), hinges],
    amounts: [{ id: "w", amount: 1321.02 }, { id: "h", amount: 36.66 }],
  };
  const after = {
    lineItems: [worktop(5), fitting],
    amounts: [{ id: "w", amount: "1651.28" }, { id: "f", amount: "177.12" }],
  };
  same(difference(before, after, "EUR").lines.map(({ id, change }) => [id, change]), [
    ["w", "330.26"],
    ["f", "177.12"],
    ["h", "-36.66"],
  ]);
});
