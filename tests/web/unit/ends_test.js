// The end of a link, as the client page names it: a day, or a time.

import { same } from "./expect.js";

// Types of these pages are checked by nothing.
const { day, endOf, time } = await import(
  String(new URL("../../../src/backbench/web/e/figures.js", import.meta.url))
);
const VALIDITY = { validUntil: "2026-12-31", expiresAt: "2027-01-01T12:00:00.000Z" };

Deno.test("a link that follows the validity ends with its last day", () => {
  for (const locale of ["en", "pl"]) same(endOf(VALIDITY, locale), day("2026-12-31", locale));
});

Deno.test("a link with an end of its own ends at that time, before or after the validity", () => {
  for (const expiresAt of ["2026-12-03T17:30:00.000Z", "2027-02-01T09:00:00.000Z"]) {
    same(endOf({ ...VALIDITY, expiresAt }, "en"), time(expiresAt, "en", true));
    same(endOf({ expiresAt }, "pl"), time(expiresAt, "pl", true));
  }
});

Deno.test("a link without an end names none", () => {
  same(endOf({}, "en"), undefined);
});
