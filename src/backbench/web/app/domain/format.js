// Format: amounts, quantities and dates in the language of the app. Formatters are made once each.

import { minorDigits } from "./currencies.js";

/** @typedef {import("./decimals.js").Numeric} Numeric */
/** @typedef {string | number | Date} Instant */

const LOCALES = /** @type {Record<string, string>} */ ({ en: "en-IE", pl: "pl-PL" });
/** @type {Map<string, Intl.NumberFormat>} */
const numberFormats = new Map();
/** @type {Map<string, Intl.DateTimeFormat>} */
const dateFormats = new Map();
/** @type {Map<string, Intl.RelativeTimeFormat>} */
const relativeFormats = new Map();

/** @param {string} language */
export function localeOf(language) {
  return LOCALES[language] ?? language;
}

/**
 * @param {Numeric} value
 * @param {string} language
 * @param {Intl.NumberFormatOptions} options
 */
function numeric(value, language, options) {
  const key = language + JSON.stringify(options);
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(localeOf(language), options);
  numberFormats.set(key, format);
  // Decimal text is formatted exactly, without a detour through a binary number. A minus, not a hyphen, as on documents.
  return format.format(/** @type {number} */ (value)).replace("-", "\u2212");
}

/**
 * An amount of money with its currency: 1,842.00 € as the language writes it.
 * @param {Numeric} value
 * @param {string} currency
 * @param {string} language
 */
export function amount(value, currency, language) {
  return money(value, currency, language, minorDigits(currency));
}

/**
 * A unit price: with the decimals of the currency, or as many more as it has.
 * @param {Numeric} value
 * @param {string} currency
 * @param {string} language
 */
export function price(value, currency, language) {
  return money(value, currency, language, 4);
}

/** @param {Numeric} value @param {string} currency @param {string} language @param {number} most decimals */
function money(value, currency, language, most) {
  return numeric(value, language, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: minorDigits(currency),
    maximumFractionDigits: most,
    useGrouping: "always",
  });
}

/**
 * @param {Numeric} value
 * @param {string} language
 */
export function quantity(value, language) {
  return numeric(value, language, { maximumFractionDigits: 4 });
}

/**
 * As on documents: 13.5%.
 * @param {Numeric} value
 * @param {string} language
 */
export function percentage(value, language) {
  return `${quantity(value, language)}%`;
}

/**
 * A change of an amount with its sign: +107.40.
 * @param {Numeric} value
 * @param {string} currency
 * @param {string} language
 */
export function change(value, currency, language) {
  const sign = String(value).startsWith("-") ? "\u2212" : "+";
  return sign + amount(String(value).replace("-", ""), currency, language);
}

const UNITS = /** @type {const} */ (["B", "kB", "MB", "GB", "TB"]);

/**
 * A size of a file or a limit: 1.5 MB. In steps of 1024, as plans promise it: 50 MB are 50 MiB.
 * @param {number} bytes
 * @param {string} language
 */
export function size(bytes, language) {
  const steps = Math.floor(Math.log2(Math.max(1, bytes)) / 10);
  // 1000 kB and more are shown as 1 MB.
  const power = Math.min(UNITS.length - 1, bytes / 1024 ** steps >= 999.5 ? steps + 1 : steps);
  const value = bytes / 1024 ** power;
  return `${numeric(value, language, { maximumFractionDigits: value < 10 && power ? 1 : 0 })}\u00A0${
    UNITS[power]
  }`;
}

/**
 * @param {Instant} instant
 * @param {string} language
 * @param {Intl.DateTimeFormatOptions} options
 */
function dated(instant, language, options) {
  const key = language + JSON.stringify(options);
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(localeOf(language), options);
  dateFormats.set(key, format);
  return format.format(new Date(instant));
}

/**
 * The day: 21 November 2026. A date without a time, such as the end of validity, is the same day everywhere.
 * @param {Instant} instant
 * @param {string} language
 */
export function date(instant, language) {
  return dated(instant, language, { dateStyle: "long", ...zoneOf(instant) });
}

/** A date without a time is the same day everywhere, also west of UTC. @param {Instant} instant */
function zoneOf(instant) {
  return typeof instant === "string" && /^\d{4}-\d\d-\d\d$/.test(instant) ? { timeZone: "UTC" } : {};
}

/**
 * 21 Nov
 * @param {Instant} instant
 * @param {string} language
 */
export function shortDate(instant, language) {
  return dated(instant, language, { day: "numeric", month: "short", ...zoneOf(instant) });
}

/**
 * 21 Nov 2026, 14:05
 * @param {Instant} instant
 * @param {string} language
 */
export function dateTime(instant, language) {
  return dated(instant, language, { dateStyle: "medium", timeStyle: "short" });
}

/**
 * @param {Instant} instant
 * @param {string} language
 */
export function time(instant, language) {
  return dated(instant, language, { timeStyle: "short" });
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** @type {[limit: number, length: number, unit: Intl.RelativeTimeFormatUnit][]} */
const STEPS = [
  [45 * MINUTE, MINUTE, "minute"],
  [22 * 60 * MINUTE, 60 * MINUTE, "hour"],
  [14 * DAY, DAY, "day"],
  [60 * DAY, 7 * DAY, "week"],
  [365 * DAY, 30 * DAY, "month"],
];
/** @type {(typeof STEPS)[number]} */
const LAST_STEP = [Infinity, 365 * DAY, "year"];

/**
 * How long ago: "3 hours ago", "yesterday". Under a minute it is "just now".
 * @param {Instant} instant
 * @param {Instant} now
 * @param {string} language
 */
export function ago(instant, now, language) {
  const passed = new Date(now).getTime() - new Date(instant).getTime();
  const format = relativeFormats.get(language) ??
    new Intl.RelativeTimeFormat(localeOf(language), { numeric: "auto" });
  relativeFormats.set(language, format);
  const distance = Math.abs(passed);
  if (distance < MINUTE) return language === "pl" ? "przed chwilą" : "just now";
  const [, length, unit] = STEPS.find(([limit]) => distance < limit) ?? LAST_STEP;
  const count = unit === "day" ? days(instant, now) : Math.round(passed / length);
  return format.format(-count || 0, unit);
}

/**
 * Days of the calendar between both, so that "yesterday" is the day before today.
 * @param {Instant} instant
 * @param {Instant} now
 */
function days(instant, now) {
  const [from, to] = [new Date(instant), new Date(now)];
  return Math.round(
    (Date.UTC(to.getFullYear(), to.getMonth(), to.getDate()) -
      Date.UTC(from.getFullYear(), from.getMonth(), from.getDate())) / DAY,
  );
}

/**
 * A date of the calendar with its weekday: Fri, 27 Nov. With the year, where that is another one than today's.
 * @param {string} day YYYY-MM-DD
 * @param {string} today YYYY-MM-DD
 * @param {string} language
 */
export function weekday(day, today, language) {
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : { year: /** @type {const} */ ("numeric") };
  return dated(day, language, { weekday: "short", day: "numeric", month: "short", ...year, timeZone: "UTC" });
}
