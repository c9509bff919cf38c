/** @type {typeof import("../en/prices.js").prices} */
export const prices = {
  withTax: (tax) => `z ${tax}`,
  withoutTax: (tax) => `bez ${tax}`,
  within: (tax) => `w tym ${tax}`,
  question: (tax) => `Twoje ceny są z ${tax}?`,
  means: {
    gross: (tax) => `Klient płaci tyle, ile wpiszesz: ${tax} jest już w cenie.`,
    net: (tax) => `Do wpisanej ceny doliczamy ${tax}.`,
  },
  tiles: (label, price) => `Na kafelkach są ceny, np. ${label}: ${price}. Co z nimi?`,
  lines: (label, price) => `Są już ceny, np. ${label}: ${price}. Co z nimi?`,
  keep: "Zostaw liczby",
  convert: "Przelicz ceny",
  becomes: (price, kind) => `${price} ${kind}`,
  estimates: "Zaczęte wyceny zostają bez zmian.",
};
