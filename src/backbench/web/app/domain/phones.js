// Phones: numbers as people write them, as links. The server reads them in the same way: values/phones.py.

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

/**
 * Of each country its code, the calling code, what is dialled before a number within the country (after "-" where that
 * is not all), the prefix of calls abroad where it is not 00, and the lengths of its numbers. Of the countries with one
 * calling code the first is the main one.
 */
const COUNTRIES =
  "US 1 1 011 10;AG 1 -1 011 10;AI 1 -1 011 10;AS 1 -1 011 10;BB 1 -1 011 10;BM 1 -1 011 10;BS 1 -1 011 10;CA 1 1 011 10;DM 1 -1 011 10;DO 1 1 011 10;GD 1 -1 011 10;GU 1 -1 011 10;JM 1 1 011 10;KN 1 -1 011 10;KY 1 -1 011 10;LC 1 -1 011 10;MP 1 -1 011 10;MS 1 -1 011 10;PR 1 1 011 10;SX 1 -1 011 10;TC 1 -1 011 10;TT 1 -1 011 10;VC 1 -1 011 10;VG 1 -1 011 10;VI 1 -1 011 10;RU 7 8 - 10;KZ 7 8 - 10;EG 20 0  8,9,10;ZA 27 0  5,6,7,8,9;GR 30   10;NL 31 0  9,11;BE 32 0  8,9;FR 33 0  9;ES 34   9;HU 36 06  8,9;IT 39   6,7,8,9,10,11,12;VA 39   6,7,8,9,10,11;RO 40 0  6,9;CH 41 0  9;AT 43 0  4,5,6,7,8,9,10,11,12,13;GB 44 0  9,10;GG 44 -0  10;IM 44 -0  10;JE 44 -0  10;DK 45   8;SE 46 0  7,8,9;NO 47   8;SJ 47   8;PL 48   7,9;DE 49 0  5,6,7,8,9,10,11,12,13,14,15;PE 51 0  8,9;MX 52   10;CU 53 0 119 6,7,8,10;AR 54 -0  10,11;BR 55 -0 - 10,11;CL 56  - 9;CO 57 -0 - 8,10;VE 58 0  10;MY 60 0  8,9,10;AU 61 0 0011 9;CC 61 -0 0011 9;CX 61 -0 0011 9;ID 62 0 - 7,8,9,10,11,12;PH 63 0  6,8,9,10;NZ 64 0  8,9,10;SG 65  - 8;TH 66 0 - 8,9;JP 81 -0 010 9,10;KR 82 -0 - 5,6,8,9,10;VN 84 0  9,10;CN 86 0  7,8,9,10,11;TR 90 0  10;IN 91 0  10;PK 92 0  9,10;AF 93 0  9;LK 94 0  9;MM 95 0  6,7,8,9,10;IR 98 0  6,7,10;SS 211 0  9;MA 212 0  9;EH 212 0  9;DZ 213 0  8,9;TN 216   8;LY 218 0  9;GM 220   7,9;SN 221   9;MR 222   8;ML 223   8;GN 224   8,9;CI 225   10;BF 226   8;NE 227   8;TG 228   8;BJ 229   10;MU 230  020 7,8;LR 231 0  7,8,9;SL 232 0  8;GH 233 0  9;NG 234 0 009 10;TD 235   8;CF 236   8;CM 237   9;CV 238  0 7;ST 239   7;GQ 240   9;GA 241 -  7,8;CG 242   9;CD 243 0  7,8,9,10;AO 244   9;GW 245   9;IO 246   7;AC 247   5;SC 248   7;SD 249 0  9;RW 250 0  8,9;ET 251 0  9;SO 252 0  6,7,8,9;DJ 253   8;KE 254 0 000 7,8,9;TZ 255 0 - 9;UG 256 0 - 9;BI 257   8;MZ 258   8,9;ZM 260 0  9;MG 261 -0  9;RE 262 0  9;YT 262 0  9;ZW 263 0  7,9;NA 264 0  8,9;MW 265 0  7,9;LS 266   8;BW 267   7,8;SZ 268   8;KM 269   7;SH 290   4,5;TA 290   4;ER 291 0  7;AW 297   7;FO 298 -  6;GL 299   6;GI 350   8;PT 351   9;LU 352 -  4,5,6,7,8,9,10,11;IE 353 0  7,8,9,10;IS 354   7,9;AL 355 0  8,9;MT 356   8;CY 357   8;FI 358 0  5,6,7,8,9,10;AX 358 0  6,7,8,9,10;BG 359 0  6,7,8,9;LT 370 -0  8;LV 371   8;EE 372   7,8;MD 373 0  8;AM 374 0  8;BY 375 -8 - 9;AD 376   6,9;MC 377 0  8,9;SM 378 -  8,10;UA 380 0 - 9;RS 381 0  7,8,9,10,11,12;ME 382 0  8;XK 383 0  8,9,10,11,12;HR 385 0  8,9;SI 386 0  8;BA 387 0  8,9;MK 389 0  8;CZ 420   9;SK 421 0  6,7,9;LI 423 0  7,9;FK 500   5;BZ 501   7;GT 502   8;SV 503   8;HN 504   8;NI 505   8;CR 506 -  8;PA 507   7,8;PM 508 0  6,9;HT 509   8;GP 590 0  9;BL 590 0  9;MF 590 0  9;BO 591 -0 - 8;GY 592  001 7;EC 593 0  8,9;GF 594 0  9;PY 595 0  7,8,9;MQ 596 0  9;SR 597   6,7;UY 598 0  8;CW 599   7,8;BQ 599   7;TL 670   7,8;NF 672 -  6;BN 673   7;NR 674   7;PG 675   7,8;TO 676   5,7;SB 677  - 5,7;VU 678   5,7;FJ 679   7;PW 680  - 7;WF 681   6;CK 682   5;NU 683   4,7;WS 685  0 5,6,7,10;KI 686 0  5,8;NC 687   6;TV 688   5,6,7;PF 689   8;TK 690   4,5,6,7;FM 691   7;MH 692 1 011 7;KP 850 0 - 8,10;HK 852   8;MO 853   8;KH 855 0 - 8,9;LA 856 0  8,9,10;BD 880 0  6,7,8,9,10;TW 886 0 - 8,9;MV 960   7;LB 961 0  7,8;JO 962 0  8,9;SY 963 0  8,9;IQ 964 0  8,9,10;KW 965   8;SA 966 0  9;YE 967 0  7,8,9;OM 968   8;PS 970 0  8,9;AE 971 0  8,9;IL 972 0 - 8,9,11,12;BH 973   8;QA 974   8;BT 975   7,8;MN 976 0 001 8,9,10;NP 977 0  8,10;TJ 992  - 9;TM 993 8 - 8;AZ 994 0  9;GE 995 0  9;KG 996 0  9;UZ 998   9";
