// Tax rates: those of VAT that are usual in a country, the standard one first. Countries are found by their time zones.

/** @type {Readonly<Record<string, readonly number[]>>} */
const RATES = {
  AT: [20, 10],
  BE: [21, 6],
  CH: [8.1],
  CZ: [21, 12],
  DE: [19, 7],
  DK: [25],
  ES: [21, 10],
  FI: [25.5, 14],
  FR: [20, 10],
  GB: [20, 5],
  HU: [27],
  IE: [23, 13.5],
  IT: [22, 10],
  LT: [21],
  NL: [21, 9],
  NO: [25],
  PL: [23, 8],
  PT: [23, 13],
  SE: [25],
  SK: [23],
};

/** @type {Readonly<Record<string, string>>} */
const COUNTRIES = {
  "Europe/Amsterdam": "NL",
  "Europe/Belfast": "GB",
  "Europe/Berlin": "DE",
  "Europe/Bratislava": "SK",
  "Europe/Brussels": "BE",
  "Europe/Budapest": "HU",
  "Europe/Copenhagen": "DK",
  "Europe/Dublin": "IE",
  "Europe/Helsinki": "FI",
  "Europe/Lisbon": "PT",
  "Europe/London": "GB",
  "Europe/Madrid": "ES",
  "Europe/Oslo": "NO",
  "Europe/Paris": "FR",
  "Europe/Prague": "CZ",
  "Europe/Rome": "IT",
  "Europe/Stockholm": "SE",
  "Europe/Vienna": "AT",
  "Europe/Vilnius": "LT",
  "Europe/Warsaw": "PL",
  "Europe/Zurich": "CH",
};

/** @type {Readonly<Record<string, string>>} */
const CURRENCIES = { PLN: "PL", GBP: "GB", CZK: "CZ", HUF: "HU", CHF: "CH", SEK: "SE", NOK: "NO", DKK: "DK" };

/**
 * The rates that are usual where a workshop is; none where that is not known.
 * @param {string | undefined} timeZone
 * @param {string} currency says more than the time zone where only one country has it
 * @returns {readonly number[]}
 */
export function usualRates(timeZone, currency) {
  return RATES[CURRENCIES[currency] ?? COUNTRIES[timeZone ?? ""] ?? ""] ?? [];
}
