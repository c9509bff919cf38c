// Phones: numbers as people write them, as links. The server reads them in the same way: values/phones.py.

import { COUNTRIES } from "./phone-countries.js";

/** @typedef {{ code: string, trunk: string, abroad: string, lengths: number[] }} Country */

const RUN = /\+?[\s(]*\d(?:[\s().\-\u2010-\u2015/]*\d)*/g;
const EXTENSION = /^[\s,;.)]*(?:ext|extension|wew|w|x|dw|durchwahl|poste|#)[\s.:=]*(\d{1,6})(?!\d)/i;
const TRUNK = /\(\s*0\s*\)/;
// Italy and San Marino: the zero belongs to the number abroad as well, so that "(0)" says nothing.
const KEEPS_ZERO = /^(?:\+|00)(?:39|378)/;

/** @type {Map<string, Country> | null} */
let countries = null;

/**
 * What is dialled for a text: the digits of its first number, with a plus sign where it was written, and an extension.
 * @param {string} text
 */
export function dialled(text) {
  const plain = text.normalize("NFKC").replace(/\p{Cf}/gu, "").trim().replace(/^(\d{7,15})\.0$/, "$1");
  for (const { 0: run, index } of plain.matchAll(RUN)) {
    const parts = run.split("/");
    const isOne = parts.length === 1 || parts.some((part) => digits(part).length < 7);
    const written = isOne ? run : parts[0] ?? "";
    if (digits(written).length < 5) continue;
    const joined = /^(?:\+|00)/.test(written) ? written.replaceAll(" ", "") : written;
    const number = /^(?:\+|00)/.test(joined) && !KEEPS_ZERO.test(joined) ? joined.replace(TRUNK, "") : joined;
    const extension = EXTENSION.exec(plain.slice(index + written.length))?.[1] ?? "";
    return { digits: (number.startsWith("+") ? "+" : "") + digits(number), extension };
  }
  return { digits: "", extension: "" };
}

/** The link that calls; "" without a number. @param {string} text */
export function telLink(text) {
  const { digits: number, extension } = dialled(text);
  return number && `tel:${number}${extension && `;ext=${extension}`}`;
}

/** The link that writes a message to the number; without one the person is chosen there. @param {string} text @param {string} [body] */
export function smsLink(text, body) {
  return `sms:${dialled(text).digits}${body === undefined ? "" : `?&body=${encodeURIComponent(body)}`}`;
}

/**
 * The link of WhatsApp, which takes numbers with their country alone: null where that is not known, rather than a wrong
 * one. Without a number the person is chosen there.
 * @param {string} text @param {string | undefined} country of the workshop @param {string} body
 */
export function whatsAppLink(text, country, body) {
  const number = text.trim() && e164Of(text, country);
  return number === null ? null : `https://wa.me/${number.slice(1)}?text=${encodeURIComponent(body)}`;
}

/**
 * The number in E.164, read as one of the country unless it says another; null where that is not certain.
 * @param {string} text @param {string | undefined} country ISO 3166
 * @returns {string | null}
 */
export function e164Of(text, country) {
  const { digits: number } = dialled(text);
  if (KEEPS_ZERO.test(number) && TRUNK.test(text)) return null;
  countries ??= read();
  const own = countries.get(country ?? "");
  if (number.startsWith("+")) return international(number.slice(1));
  if (!own || !number) return null;
  const abroad = own.abroad || "00";
  if (number.startsWith(abroad)) return international(number.slice(abroad.length));
  const national = withoutTrunk(number, own);
  if (national && own.lengths.includes(national.length)) return `+${own.code}${national}`;
  // The code of the country without a plus sign.
  const longest = Math.max(...own.lengths);
  return number.startsWith(own.code) && number.length > longest ? international(number) : null;
}

/** @param {string} number with the calling code */
function international(number) {
  const main = [...(countries ?? [])].find(([, { code }]) => number.startsWith(code))?.[1];
  const national = main && withoutTrunk(number.slice(main.code.length), main);
  return main && national && main.lengths.includes(national.length) ? `+${main.code}${national}` : null;
}

/** The number as it is dialled from abroad; "" where that is not certain. @param {string} number @param {Country} country */
function withoutTrunk(number, { trunk, lengths }) {
  if (trunk.startsWith("-")) {
    const isClear = !/^0/.test(number) && !(trunk.length > 1 && number.startsWith(trunk.slice(1)));
    return isClear && lengths.includes(number.length) ? number : "";
  }
  if (!trunk || !number.startsWith(trunk)) return number;
  const rest = number.slice(trunk.length);
  return lengths.includes(rest.length) ? rest : number;
}

/** @returns {Map<string, Country>} */
function read() {
  return new Map(
    COUNTRIES.split(";").map((line) => {
      const [name = "", code = "", trunk = "", abroad = "", lengths = ""] = line.split(" ");
      return [name, { code, trunk, abroad, lengths: lengths.split(",").map(Number) }];
    }),
  );
}

/** @param {string} text */
const digits = (text) => text.replace(/\D/g, "");
