import {
  BOUNDS,
  percent,
  plus,
  pressed,
  shown,
  times,
  typed,
} from "../../../src/backbench/web/app/domain/numbers.js";
import { same } from "./expect.js";

/** @typedef {import("../../../src/backbench/web/app/domain/numbers.js").Key} Key */

Deno.test("comma and point both mean decimal", () => {
  for (
    const [text, value] of [
      ["12,5", "12.5"],
      ["12.5", "12.5"],
      [",5", "0.5"],
      ["12,", "12"],
      ["1 234,50", "1234.5"],
      ["1.234,56", "1234.56"],
      ["1,234.56", "1234.56"],
      ["14,99", "14.99"],
      ["007", "7"],
      ["0,12340000", "0.1234"],
    ]
  ) same(typed(text ?? ""), { value, problem: null });
});

Deno.test("a comma before three digits groups in English, as the app writes it", () => {
  const values = (/** @type {string} */ language) =>
    ["1,500", "12,000,000", "1,50", "0,500", "1.500"].map((text) =>
      typed(text, BOUNDS.unitPrice, language).value
    );
  same(values("en"), ["1500", "12000000", "1.5", "0.5", "1.5"]);
  same(values("pl"), ["1.5", null, "1.5", "0.5", "1.5"]);
});

Deno.test("what is not a number within its bounds has a problem", () => {
  for (
    const [text, problem] of [
      ["", "missing"],
      ["abc", "malformed"],
      ["1,2,3", "malformed"],
      [",", "malformed"],
      ["1.234.567", "malformed"],
      ["-1", "too_small"],
      ["1000000000,0001", "too_large"],
      ["0,00001", "too_precise"],
    ]
  ) same(typed(text ?? "").problem, problem);
  same(typed("101", BOUNDS.discountPercent).problem, "too_large");
});

Deno.test("the keypad types digits and refuses what would leave the bounds", () => {
  /** @param {string} keys */
  const after = (keys, language = "pl", bounds = BOUNDS.quantity) =>
    [...keys].reduce(
      (text, key) =>
        pressed(
          text,
          /** @type {Key} */ ({ ",": "decimal", "<": "back", "C": "clear" }[key] ?? key),
          language,
          bounds,
        ),
      "",
    );
  same(after("12,5"), "12,5");
  same(after("12,5", "en"), "12.5");
  same(after(",5"), "0,5");
  same(after("005"), "5");
  same(after("1,,2"), "1,2");
  same(after("1,23456"), "1,2345");
  same(after("1000001"), "100000");
  same(after("12<3"), "13");
  same(after("12C"), "");
  same(after("101", "en", BOUNDS.discountPercent), "10");
});

Deno.test("keys of the keypad change a number exactly", () => {
  same(times("0.1", 3), "0.3");
  same(times("600000", 2), "600000");
  same(percent("275", 10), "302.5");
  same(percent("19.99", "-10"), "17.99");
  same(percent("0.05", 10), "0.06");
  same(percent("3", 10, 0), "3");
  same(percent("0.0125", 10), "0.0138");
  same(percent("55.5", 10, 0), "61.1");
  same(plus("0.1", "0.2"), "0.3");
  same(shown(12.5, "pl"), "12,5");
  same(shown("12.50", "en"), "12.5");
});

Deno.test("separators mean what the language means by them", () => {
  const en = (/** @type {string} */ text) => typed(text, BOUNDS.unitPrice, "en").value;
  same([en("1,500"), en("12,500"), en("1,234,567"), en("1,50"), en("0,500"), en("1.500"), en("1,500.25")], [
    "1500",
    "12500",
    "1234567",
    "1.5",
    "0.5",
    "1.5",
    "1500.25",
  ]);
  same(typed("1,500", BOUNDS.unitPrice, "pl").value, "1.5");
});
