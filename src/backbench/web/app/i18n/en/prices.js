/** Words of prices with and without tax. */
export const prices = {
  withTax: /** @param {string} tax */ (tax) => `with ${tax}`,
  withoutTax: /** @param {string} tax */ (tax) => `without ${tax}`,
  /** A tax that is part of the sum. */
  within: /** @param {string} tax */ (tax) => `including ${tax}`,
  question: /** @param {string} tax */ (tax) => `Are your prices with ${tax}?`,
  means: {
    gross: /** @param {string} tax */ (tax) => `Clients pay what you enter: ${tax} is part of it.`,
    net: /** @param {string} tax */ (tax) => `${tax} is added to what you enter.`,
  },
  /** One price of several, as an example. */
  tiles: /** @param {string} label @param {string} price */ (label, price) =>
    `Your tiles have prices, such as ${label} for ${price}. What about them?`,
  lines: /** @param {string} label @param {string} price */ (label, price) =>
    `There are prices already, such as ${label} for ${price}. What about them?`,
  keep: "Keep the numbers",
  convert: "Convert the prices",
  becomes: /** @param {string} price @param {string} kind */ (price, kind) => `${price} ${kind}`,
  estimates: "Estimates that you have begun stay as they are.",
};
