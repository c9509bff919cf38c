import { decimal, decimalText, fixed, rounded } from "../../../src/backbench/web/app/domain/decimals.js";
import { lineAmount, minorDigits, shownPrices, totals } from "../../../src/backbench/web/app/domain/money.js";
import { converted } from "../../../src/backbench/web/app/domain/prices.js";
import { same, throws } from "./expect.js";

/** @param {string} id @param {number} unitPrice @param {number} quantity */
const line = (id, unitPrice, quantity) => ({ id, unitPrice, quantity });

Deno.test("a number is read by its shortest text", () => {
  same(decimal(0.1), 1000n);
  same(decimal(999999999.9999), 9999999999999n);
  same(decimal("1e-4"), 1n);
  same(decimal("-0.5"), -5000n);
  same(decimalText(decimal("12.1000")), "12.1");
  same(decimalText(decimal(100)), "100");
  throws(() => decimal("0.00001"));
  throws(() => decimal("12,5"));
});

Deno.test("halves are rounded away from zero", () => {
  same([rounded(5n, 10n), rounded(-5n, 10n), rounded(4n, 10n)], [1n, -1n, 0n]);
  same([fixed(-5n, 2), fixed(5n, 0), fixed(0n, 3)], ["-0.05", "5", "0.000"]);
});

Deno.test("a line is rounded to the minor unit of its currency", () => {
  same(lineAmount(line("a", 0.125, 1), "EUR"), "0.13");
  same(lineAmount(line("a", 12.5, 1), "JPY"), "13");
  same(lineAmount(line("a", 0.0005, 1), "KWD"), "0.001");
  same(["EUR", "ISK", "TND", "XXX"].map(minorDigits), [2, 0, 3, 2]);
});

Deno.test("sums are computed from rounded amounts", () => {
  const estimate = {
    lineItems: [line("a", 0.125, 1), line("b", 268.5, 4.35)],
    markupPercent: 12,
    discountPercent: 3,
    taxPercent: 23,
    depositPercent: 50,
  };
  same(totals(estimate, "EUR"), {
    currency: "EUR",
    lines: [{ id: "a", amount: "0.13" }, { id: "b", amount: "1167.98" }],
    subtotal: "1168.11",
    markup: "140.17",
    discount: "39.25",
    net: "1269.03",
    tax: "291.88",
    total: "1560.91",
    deposit: "780.46",
  });
});

Deno.test("without a tax there is no tax, and with 0 % it is 0", () => {
  same(totals({ lineItems: [] }, "EUR").tax, undefined);
  same(totals({ lineItems: [line("a", 5, 1)] }, "EUR").tax, undefined);
  same(totals({ lineItems: [], taxPercent: 0 }, "EUR").tax, "0.00");
});

Deno.test("lines of several rates share the net sum", () => {
  const lineItems = [line("a", 100, 1), line("b", 50, 1), line("c", 25, 1)];
  const found = totals(
    { lineItems, discountPercent: 3, taxPercent: 23, lineTaxes: { b: 13.5, c: 0 } },
    "EUR",
  );
  same(found.taxes, [
    { label: "VAT", percent: "23", net: "97.00", amount: "22.31" },
    { label: "VAT", percent: "13.5", net: "48.50", amount: "6.55" },
    { label: "VAT", percent: "0", net: "24.25", amount: "0.00" },
  ]);
  same([found.tax, found.total], ["28.86", "198.61"]);
});

Deno.test("prices entered with tax add up to the total, and the tax is part of it", () => {
  const lineItems = [line("a", 150, 7), line("b", 890, 1)];
  same(totals({ lineItems, taxPercent: 23, pricesEntered: "gross", markupPercent: 10 }, "PLN"), {
    currency: "PLN",
    lines: [{ id: "a", amount: "1050.00" }, { id: "b", amount: "890.00" }],
    subtotal: "1940.00",
    markup: "194.00",
    discount: "0.00",
    net: "1734.96",
    tax: "399.04",
    total: "2134.00",
    pricesShown: "gross",
  });
});

Deno.test("net prices shown with tax are rounded to the minor unit before they are multiplied", () => {
  const chairs = {
    lineItems: [line("a", 121.95, 7)],
    taxPercent: 23,
    pricesShown: /** @type {const} */ ("gross"),
  };
  same(shownPrices(chairs, "PLN"), ["150"]);
  same([totals(chairs, "PLN").total, totals(chairs, "PLN").tax], ["1050.00", "196.34"]);
  const yen = { ...chairs, lineItems: [line("a", 89_000, 1)], taxPercent: 10 };
  same([totals(yen, "JPY").total, totals(yen, "JPY").tax], ["97900", "8900"]);
});

Deno.test("gross sums of several rates and of exempt lines", () => {
  const lineItems = [line("a", 123, 1), line("b", 54, 2), line("c", 40, 1), line("d", 0.0042, 1000)];
  const found = totals(
    { lineItems, taxPercent: 23, lineTaxes: { b: 8, c: "exempt", d: 0 }, pricesEntered: "gross" },
    "EUR",
  );
  same(found.taxes, [
    { label: "VAT", percent: "23", net: "100.00", amount: "23.00" },
    { label: "VAT", percent: "8", net: "100.00", amount: "8.00" },
    { label: "VAT", percent: "0", net: "4.20", amount: "0.00" },
    { kind: "exempt", net: "40.00", amount: "0.00" },
  ]);
  same([found.net, found.total], ["244.20", "275.20"]);
});

Deno.test("without a tax, net and gross are the same", () => {
  const estimate = { lineItems: [line("a", 0.0042, 1000)] };
  const gross = totals({ ...estimate, pricesEntered: "gross" }, "EUR");
  same(gross, { ...totals(estimate, "EUR"), pricesShown: "gross" });
  for (const pricesEntered of /** @type {const} */ (["net", "gross"])) {
    const exempt = { ...estimate, pricesEntered, taxKind: /** @type {const} */ ("exempt") };
    same(totals(exempt, "EUR").total, "4.20");
  }
});

Deno.test("a price is converted by the rate of its line, half-up to the minor unit", () => {
  const convert = (/** @type {number} */ price, /** @type {"net" | "gross"} */ to, digits = 2) =>
    converted(price, { from: to === "net" ? "gross" : "net", to, rate: 230_000n, digits });
  same([convert(150, "net"), convert(121.95, "gross"), convert(121.95, "net", 0)], [121.95, 150, 99]);
  same(converted(0.0042, { from: "net", to: "gross", rate: 0n, digits: 2 }), 0.0042);
  same(converted(0.0042, { from: "gross", to: "gross", rate: 230_000n, digits: 2 }), 0.0042);
});
