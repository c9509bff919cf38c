// Payment methods: the ways that are offered for a currency, the most usual first.

/** @typedef {Api.NewPayment["method"]} Method */

/** BLIK is of Polish banks. @param {string} currency @returns {readonly Method[]} */
export function methodsOf(currency) {
  return [
    "cash",
    "card",
    "transfer",
    ...(currency === "PLN" ? /** @type {const} */ (["blik"]) : []),
    "other",
  ];
}
