// Progress of an estimate: its stage, and when its validity ends.

import { estimateStage } from "../../../src/backbench/web/app/domain/stages.js";
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
const stageAt = (at, validUntil) => estimateStage(confirmed(validUntil), false, Date.parse(at));

Deno.test("an estimate expires when its last day is over everywhere on earth, as its link does", () => {
  same(
    ["2026-11-23T22:59:00Z", "2026-11-24T00:00:00Z", "2026-11-24T11:59:59.999Z", "2026-11-24T12:00:00Z"]
      .map((at) => stageAt(at, "2026-11-23")),
    ["unsent", "unsent", "unsent", "expired"],
  );
  // The year, and the night in which the clocks change.
  same(stageAt("2027-01-01T11:59:59.999Z", "2026-12-31"), "unsent");
  same(stageAt("2027-01-01T12:00:00Z", "2026-12-31"), "expired");
  same(stageAt("2026-10-25T12:00:00Z", "2026-10-24"), "expired");
});

Deno.test("without a last day, and once somebody has decided, nothing expires", () => {
  same(stageAt("2036-01-01T00:00:00Z"), "unsent");
  const accepted = {
    ...confirmed("2026-11-23"),
    decision: { outcome: /** @type {const} */ ("accepted"), decidedAt: "", revisionNumber: 1 },
  };
  same(estimateStage(accepted, false, Date.parse("2036-01-01T00:00:00Z")), "accepted");
});

Deno.test("the decision is before a question, a question before a change, and what is open was sent, then seen", () => {
  const now = Date.parse("2026-11-24T00:00:00Z");
  const linked = { ...confirmed(), sentAt: "2026-11-20T08:00:00.000Z" };
  const lastHandoff = { kind: /** @type {const} */ ("message-copied"), createdAt: "", revisionNumber: 1 };
  const sent = { ...linked, lastHandoff };
  const seen = { ...sent, openedAt: "2026-11-20T09:00:00.000Z" };
  const decision = { outcome: /** @type {const} */ ("declined"), decidedAt: "", revisionNumber: 1 };
  const changed = { ...seen, state: /** @type {const} */ ("changed") };
  same(
    [linked, sent, seen, changed, { ...changed, decision }, { ...seen, decision, orderId: "o1" }].map((
      one,
    ) => [
      estimateStage(one, false, now),
      estimateStage(one, true, now),
    ]),
    [["unsent", "asked"], ["sent", "asked"], ["seen", "asked"], ["changed", "asked"], [
      "declined",
      "declined",
    ], [
      "ordered",
      "ordered",
    ]],
  );
});
