import * as format from "../../../src/backbench/web/app/domain/format.js";
import { same } from "./expect.js";

Deno.test("amounts have the decimals of their currency in both languages", () => {
  same(format.amount("1842", "EUR", "en"), "€1,842.00");
  same(format.amount("1842.5", "PLN", "pl"), "1 842,50 zł");
  same(format.amount(1500, "JPY", "en"), "¥1,500");
  same(format.amount("9999999999999999.99", "EUR", "en"), "€9,999,999,999,999,999.99");
  same(format.price("0.0042", "EUR", "en"), "€0.0042");
  same(format.change("-107.40", "EUR", "en"), "−€107.40");
  same(format.change("107.40", "EUR", "pl"), "+107,40 €");
});

Deno.test("quantities and sizes are written as the language does", () => {
  same(format.quantity("4.35", "pl"), "4,35");
  same(format.percentage(13.5, "pl"), "13,5%");
  same([format.size(999, "en"), format.size(52428800, "en"), format.size(1536, "pl")], [
    "999 B",
    "50 MB",
    "1,5 kB",
  ]);
});

Deno.test("days of the calendar decide what yesterday is", () => {
  const now = new Date(2026, 10, 21, 9, 0);
  const at = (/** @type {number} */ day, /** @type {number} */ hour, minute = 0) =>
    new Date(2026, 10, day, hour, minute);
  same(format.ago(at(21, 8, 59), now, "en"), "1 minute ago");
  same(format.ago(new Date(now.getTime() - 30_000), now, "en"), "just now");
  same(format.ago(at(21, 6), now, "pl"), "3 godziny temu");
  same(format.ago(at(20, 10), now, "en"), "yesterday");
  same(format.ago(at(20, 8), now, "pl"), "wczoraj");
  same(format.ago(at(12, 8), now, "pl"), "9 dni temu");
  same(format.ago(new Date(2026, 9, 21), now, "en"), "4 weeks ago");
  same(format.ago(new Date(2025, 4, 21), now, "en"), "2 years ago");
});

Deno.test("a date without a time is the same day everywhere", () => {
  same(format.date("2026-11-21", "en"), "21 November 2026");
  same(format.date("2026-11-21", "pl"), "21 listopada 2026");
  same(format.shortDate("2026-11-21", "en"), "21 Nov");
});
