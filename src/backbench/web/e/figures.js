// Figures, dates and units as the PDF prints them (values/locales.py). Amounts are decimal strings, since a binary number
// would not be exact.

const NO_BREAK_SPACE = "\u00a0";
const SEPARATORS = { pl: [NO_BREAK_SPACE, ","], en: [",", "."] };
const SIGNS = {
  pl: { PLN: "zł", EUR: "€", GBP: "£", CZK: "Kč", USD: "$", JPY: "¥" },
  en: { EUR: "€", GBP: "£", USD: "$", JPY: "¥" },
};
const WITHOUT_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
const WITH_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND";

export function minorDigits(currency) {
  if (WITHOUT_DECIMALS.includes(currency)) return 0;
  return WITH_THREE_DECIMALS.includes(currency) ? 3 : 2;
}

export const isZero = (value) => /^-?0*(\.0*)?$/.test(value);

const minusOf = (value) => value.startsWith("-") && !isZero(value) ? "\u2212" : "";

/** Grouped thousands, all decimals, padded with zeros to `least` decimals. */
export function number(value, locale, least = 0) {
  const [thousands, decimal] = SEPARATORS[locale];
  const [whole, decimals = ""] = value.replace("-", "").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  const padded = decimals.padEnd(least, "0");
  return minusOf(value) + grouped + (padded && decimal + padded);
}

export function money(value, currency, locale) {
  const figure = number(value.replace("-", ""), locale, minorDigits(currency));
  const minus = minusOf(value);
  const sign = SIGNS[locale][currency];
  if (locale === "pl") return minus + figure + NO_BREAK_SPACE + (sign ?? currency);
  return minus + (sign ?? currency + NO_BREAK_SPACE) + figure;
}

/** Whether amounts have a sign such as €; otherwise the headings and the total have the currency's code. */
export const hasSign = (currency, locale) => currency in SIGNS[locale];

/** A figure of the table: with the currency's sign, or without a currency. */
export function price(value, currency, locale) {
  return hasSign(currency, locale) ? money(value, currency, locale) : number(value, locale, minorDigits(currency));
}

export const percent = (value, locale) => `${number(value, locale)}%`;

/** 21 November 2026, 21 listopada 2026; from 2026-11-21. */
export const day = (date, locale) => inWords(new Date(`${date}T12:00:00Z`), locale, { timeZone: "UTC" });

/** The day where the reader is; from an instant. */
export const dayOf = (instant, locale) => inWords(new Date(instant), locale);

/** Day and time where the reader is; `isNamed` with the time zone, where it may be compared with another time. */
export function time(instant, locale, isNamed = false) {
  const at = new Date(instant);
  const options = { hour: "2-digit", minute: "2-digit", timeZoneName: isNamed ? "short" : undefined };
  return `${inWords(at, locale)}, ${new Intl.DateTimeFormat("en-GB", options).format(at)}`;
}

/** The end of the link: the last day of the validity, which is 36 hours long, or a time. */
export function endOf({ validUntil, expiresAt }, locale) {
  const isDay = new Date(expiresAt) - new Date(validUntil) === 36 * 3600_000;
  return isDay ? day(validUntil, locale) : expiresAt && time(expiresAt, locale, true);
}

function inWords(date, locale, options) {
  const tag = locale === "pl" ? "pl-PL" : "en-GB";
  const text = new Intl.DateTimeFormat(tag, { day: "numeric", month: "long", year: "numeric", ...options }).format(date);
  // A date is not split between lines.
  return text.replaceAll(" ", NO_BREAK_SPACE);
}

// The plural forms of units: one, few, many, and the form for fractions.
const UNITS = {
  pl: {
    sqm: ["m²"],
    linear_m: ["mb"],
    piece: ["sztuka", "sztuki", "sztuk", "sztuki"],
    pair: ["para", "pary", "par", "pary"],
    hour: ["godzina", "godziny", "godzin", "godziny"],
    job: ["kpl."],
    freeform: ["×"],
  },
  en: {
    sqm: ["m²"],
    linear_m: ["m"],
    piece: ["piece", "pieces"],
    pair: ["pair", "pairs"],
    hour: ["hour", "hours"],
    job: ["job", "jobs"],
    freeform: ["×"],
  },
};

/** 2.5 m², 3 pary. "" for a free-form quantity of 1, which says nothing. */
export function quantity(value, unit, locale) {
  if (unit === "freeform" && value === "1") return "";
  const forms = UNITS[locale][unit];
  const word = forms[Math.min(pluralForm(value), forms.length - 1)];
  return number(value, locale) + NO_BREAK_SPACE + word;
}

function pluralForm(value) {
  if (value.includes(".")) return 3;
  if (value === "1") return 0;
  return /(^|[^1])[234]$/.test(value) ? 1 : 2;
}
