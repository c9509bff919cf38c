// Currencies: the number of decimals of their amounts, where it is not two. A test compares them with the server's.

const WITHOUT_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
const WITH_THREE = "BHD IQD JOD KWD LYD OMR TND";

/** @type {Map<string, number>} */
const DIGITS = new Map([
  ...WITHOUT_DECIMALS.split(" ").map((code) => /** @type {[string, number]} */ ([code, 0])),
  ...WITH_THREE.split(" ").map((code) => /** @type {[string, number]} */ ([code, 3])),
]);

/**
 * The number of decimals of an amount in the currency.
 * @param {string} currency
 */
export function minorDigits(currency) {
  return DIGITS.get(currency) ?? 2;
}
