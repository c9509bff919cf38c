// Due dates: the board by date, at midnight and at the change of clocks, in the workshop's time zone.

import { byDue, dueOf, wallClock } from "../../../src/backbench/web/app/domain/due.js";
import { same } from "./expect.js";

/** @param {string} instant @param {string} zone */
const clockAt = (instant, zone) => wallClock(Date.parse(instant), zone);
const noon = { today: "2026-11-23", time: "12:00" };

Deno.test("the clock on the wall is that of the workshop's time zone", () => {
  same(
    [
      clockAt("2026-11-23T22:59:59.999Z", "Europe/Warsaw"),
      clockAt("2026-11-23T23:00:00.000Z", "Europe/Warsaw"),
      clockAt("2026-11-23T23:00:00.000Z", "Europe/London"),
      clockAt("2026-11-23T23:00:00.000Z", "America/Los_Angeles"),
      clockAt("2026-12-31T10:00:00.000Z", "Pacific/Kiritimati"),
    ],
    [
      { today: "2026-11-23", time: "23:59" },
      { today: "2026-11-24", time: "00:00" },
      { today: "2026-11-23", time: "23:00" },
      { today: "2026-11-23", time: "15:00" },
      { today: "2027-01-01", time: "00:00" },
    ],
  );
});

Deno.test("the clocks change, and the day is the same", () => {
  const zone = "Europe/Warsaw";
  // The hour from two to three comes twice on 25 October 2026, and not at all on 28 March 2027.
  same(
    ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2027-03-28T00:59:00Z", "2027-03-28T01:00:00Z"].map((
      at,
    ) => clockAt(at, zone).time),
    ["02:30", "02:30", "01:59", "03:00"],
  );
  // Seven days of which one has 25 hours, or 23.
  same(dueOf({ dueOn: "2026-10-31" }, clockAt("2026-10-23T22:00:00Z", zone)), "week");
  same(dueOf({ dueOn: "2026-11-01" }, clockAt("2026-10-24T21:59:00Z", zone)), "later");
  same(dueOf({ dueOn: "2027-04-03" }, clockAt("2027-03-26T23:00:00Z", zone)), "week");
  same(dueOf({ dueOn: "2027-04-04" }, clockAt("2027-03-27T22:59:00Z", zone)), "later");
});

Deno.test("a day is late at its end, a time in its minute", () => {
  const zone = "Europe/Warsaw";
  const order = { dueOn: "2026-11-23" };
  same(
    ["2026-11-22T22:59:59Z", "2026-11-22T23:00:00Z", "2026-11-23T22:59:59Z", "2026-11-23T23:00:00Z"]
      .map((at) => dueOf(order, clockAt(at, zone))),
    ["tomorrow", "today", "today", "overdue"],
  );
  const timed = { dueOn: "2026-11-23", dueTime: "16:00" };
  same(["2026-11-23T14:59:59Z", "2026-11-23T15:00:00Z"].map((at) => dueOf(timed, clockAt(at, zone))), [
    "today",
    "overdue",
  ]);
});

Deno.test("the week is the seven days after today", () => {
  const days = ["2026-11-22", "2026-11-23", "2026-11-24", "2026-11-30", "2026-12-01"];
  same(days.map((dueOn) => dueOf({ dueOn }, noon)), ["overdue", "today", "tomorrow", "week", "later"]);
  same([dueOf({}, noon), dueOf(undefined, noon)], ["none", "none"]);
});

Deno.test("under a heading the earliest is first, a time before the day without one", () => {
  /** @param {string} id @param {object} [facts] @param {string} [status] */
  const ticket = (id, facts, status = "todo") => ({ id, order: { status }, facts });
  const found = [
    ticket("no details"),
    ticket("all day", { dueOn: "2026-11-23" }),
    ticket("no date", {}),
    ticket("at four", { dueOn: "2026-11-23", dueTime: "16:00" }),
    ticket("late", { dueOn: "2026-11-21" }),
    ticket("later", { dueOn: "2027-01-05" }),
    ticket("later still", { dueOn: "2026-11-22", dueTime: "09:00" }),
  ];
  same(byDue(found, () => noon).map(({ due, tickets }) => [due, ...tickets.map(({ id }) => id)]), [
    ["overdue", "late", "later still"],
    ["today", "at four", "all day"],
    ["later", "later"],
    ["none", "no details", "no date"],
  ]);
});

Deno.test("what is done is not due", () => {
  const found = [{ order: { status: "done" }, facts: { dueOn: "2026-01-01" } }];
  same(byDue(found, () => noon).map(({ due }) => due), ["none"]);
});

Deno.test("where some was collected, what is ready stands before it", () => {
  /** @param {string} id @param {boolean} isCollected */
  const ticket = (id, isCollected) => ({ id, order: { status: "done" }, facts: {}, isCollected });
  const found = [ticket("one", true), ticket("two", false), ticket("three", true)];
  same(byDue(found, () => noon).map(({ due, tickets }) => [due, ...tickets.map(({ id }) => id)]), [
    ["ready", "two"],
    ["collected", "one", "three"],
  ]);
  same(byDue([ticket("one", true)], () => noon).map(({ due }) => due), ["collected"]);
});
