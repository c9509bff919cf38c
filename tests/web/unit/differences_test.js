import { difference, isEmpty } from "../../../src/backbench/web/app/domain/differences.js";
import { waiting } from "../../../src/backbench/web/app/domain/waiting.js";
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

Deno.test("an estimate waits in one list at most, and not once it is work", () => {
  const now = "2026-11-21T09:00:00.000Z";
  const confirmed = { number: 2, confirmedAt: "2026-11-01T09:00:00.000Z" };
  /** @param {string} createdAt @param {number} revisionNumber */
  const sent = (createdAt, revisionNumber) => ({ createdAt, revisionNumber });
  const found = waiting([
    { estimateId: "draft", state: "draft" },
    { estimateId: "changed", state: "changed", latestRevision: confirmed },
    { estimateId: "new", state: "confirmed", latestRevision: confirmed },
    {
      estimateId: "old number",
      state: "confirmed",
      latestRevision: confirmed,
      lastHandoff: sent("2026-11-20T09:00:00.000Z", 1),
    },
    {
      estimateId: "yesterday",
      state: "confirmed",
      latestRevision: confirmed,
      lastHandoff: sent("2026-11-20T09:00:00.000Z", 2),
    },
    {
      estimateId: "nine days",
      state: "confirmed",
      latestRevision: confirmed,
      lastHandoff: sent("2026-11-12T09:00:00.000Z", 2),
    },
    { estimateId: "work", state: "changed", latestRevision: confirmed, orderId: "o" },
  ], now);
  /** @param {{estimateId: string}[]} list */
  const ids = (list) => list.map((summary) => summary.estimateId);
  same([ids(found.changed), ids(found.notSent), ids(found.unanswered)], [["changed"], ["new", "old number"], [
    "nine days",
  ]]);
});
