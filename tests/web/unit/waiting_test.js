import { waiting } from "../../../src/backbench/web/app/domain/waiting.js";
import { same } from "./expect.js";

const NOW = "2026-11-22T12:00:00Z";
const sent = { createdAt: "2026-11-01T12:00:00Z", revisionNumber: 1 };
const confirmed =
  /** @type {const} */ ({ state: "confirmed", latestRevision: { number: 1, confirmedAt: NOW } });

Deno.test("what the client has decided is in no list of reminders", () => {
  const found = waiting([
    { estimateId: "unsent", ...confirmed },
    { estimateId: "unanswered", ...confirmed, lastHandoff: sent },
    { estimateId: "accepted", ...confirmed, lastHandoff: sent, decision: { outcome: "accepted" } },
    { estimateId: "accepted, never sent", ...confirmed, decision: { outcome: "accepted" } },
    { estimateId: "declined", ...confirmed, lastHandoff: sent, decision: { outcome: "declined" } },
    { estimateId: "work", ...confirmed, decision: { outcome: "accepted" }, orderId: "1" },
  ], NOW);
  const ids = Object.fromEntries(
    Object.entries(found).map(([name, list]) => [name, list.map(({ estimateId }) => estimateId)]),
  );
  same(ids, {
    accepted: ["accepted", "accepted, never sent"],
    changed: [],
    notSent: ["unsent"],
    unanswered: ["unanswered"],
  });
});
