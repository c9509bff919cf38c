// Progress of an estimate: its stage, and when its validity ends.

import { stageOf } from "../../../src/backbench/web/app/screens/estimates.js";
import { same } from "./expect.js";

/** @param {string} [validUntil] */
const confirmed = (validUntil) => ({
  estimateId: "e1",
  name: "Kitchen",
  lines: 1,
  currency: "EUR",
  total: 100,
  updatedAt: "",
  state: /** @type {const} */ ("confirmed"),
  latestRevision: { number: 1, confirmedAt: "", total: 100, ...(validUntil ? { validUntil } : {}) },
});

/** @param {string} at @param {string} [validUntil] */
const stageAt = (at, validUntil) => stageOf(confirmed(validUntil), Date.parse(at));

Deno.test("an estimate expires when its last day is over everywhere on earth, as its link does", () => {
  same(
    ["2026-11-23T22:59:00Z", "2026-11-24T00:00:00Z", "2026-11-24T11:59:59.999Z", "2026-11-24T12:00:00Z"]
      .map((at) => stageAt(at, "2026-11-23")),
    ["confirmed", "confirmed", "confirmed", "expired"],
  );
  // The year, and the night in which the clocks change.
  same(stageAt("2027-01-01T11:59:59.999Z", "2026-12-31"), "confirmed");
  same(stageAt("2027-01-01T12:00:00Z", "2026-12-31"), "expired");
  same(stageAt("2026-10-25T12:00:00Z", "2026-10-24"), "expired");
});

Deno.test("without a last day, and once somebody has decided, nothing expires", () => {
  same(stageAt("2036-01-01T00:00:00Z"), "confirmed");
  const accepted = {
    ...confirmed("2026-11-23"),
    decision: { outcome: /** @type {const} */ ("accepted"), decidedAt: "", revisionNumber: 1 },
  };
  same(stageOf(accepted, Date.parse("2036-01-01T00:00:00Z")), "accepted");
});
