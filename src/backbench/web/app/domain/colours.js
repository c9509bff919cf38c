// Colours: contrast by WCAG 2, and ink or paper as the text colour on a colour that a workshop chose.

/** @typedef {{red: number, green: number, blue: number}} Channels from 0 to 1 */

export const INK = "#1C1815";
export const PAPER = "#FFFDF8";

/** @param {string} text */
function isColour(text) {
  return /^#[0-9A-Fa-f]{6}$/.test(text);
}

/**
 * From 1 (the same colour) to 21 (black and white).
 * @param {string} one
 * @param {string} other
 */
export function contrast(one, other) {
  return ratio(luminance(channels(one)), luminance(channels(other)));
}

/**
 * The colour of text on a ground: ink or paper, the one with the higher contrast.
 * @param {string} ground
 */
export function textOn(ground) {
  return contrast(ground, INK) >= contrast(ground, PAPER) ? INK : PAPER;
}

/**
 * @param {number} one
 * @param {number} other
 */
export function ratio(one, other) {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** @param {Channels} colour */
export function luminance({ red, green, blue }) {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** @param {number} channel */
function linear(channel) {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

/**
 * @param {string} colour
 * @returns {Channels}
 */
export function channels(colour) {
  if (!isColour(colour)) throw new RangeError(`Not a colour: ${colour}`);
  /** @param {number} at */
  const channel = (at) => parseInt(colour.slice(at, at + 2), 16) / 255;
  return { red: channel(1), green: channel(3), blue: channel(5) };
}

// Backgrounds of a workshop's sign: the presets by name, and colours of the workshop's own.

/** @typedef {{from: string, to: string, angle: number, text: string}} Ground */
/** @typedef {{kind: "solid", color: string} | {kind: "gradient", from: string, to: string, angle: number}} CustomBackground */

/** In the order of the picker: one colour, or two with an angle. @satisfies {Record<string, [string, string?, number?]>} */
const PRESETS = {
  paper: ["#FFFDF8"],
  linen: ["#EFE6D6"],
  sage: ["#CFDAC4"],
  mist: ["#D5DFE6"],
  blush: ["#F3D9D2"],
  cloud: ["#F1F3F5", "#D9E0E8", 160],
  dawn: ["#FBE3C8", "#F4C6C0", 135],
  meadow: ["#DCE9B8", "#A9CFA0", 135],
  orchid: ["#EBD6F0", "#CBB1E0", 135],
  copper: ["#F0C9A4", "#D99A6C", 135],
  indigo: ["#2B3A67"],
  forest: ["#24452F"],
  plum: ["#4A2545"],
  terracotta: ["#8A3F22"],
  charcoal: ["#2B2A29"],
  astral: ["#1B1F4B", "#43306E", 135],
  ember: ["#5A1F14", "#8F3A16", 135],
  dusk: ["#2F2A4F", "#6A3D5C", 135],
  tide: ["#0F3D4C", "#1F5F66", 135],
  aurora: ["#123B3A", "#2F4A7A", 135],
};

export const BACKGROUNDS = Object.keys(PRESETS);

/**
 * The ground of a workshop's sign, with ink or paper as the text on it.
 * @param {{background: string, customBackground?: CustomBackground | null}} workshop
 * @returns {Ground}
 */
export function ground({ background, customBackground }) {
  if (customBackground?.kind === "solid") return grounded(customBackground.color);
  if (customBackground) return grounded(customBackground.from, customBackground.to, customBackground.angle);
  return grounded(...preset(background));
}

/**
 * @param {string} name
 * @returns {[string, string?, number?]}
 */
function preset(name) {
  return name in PRESETS ? PRESETS[/** @type {keyof typeof PRESETS} */ (name)] : PRESETS.paper;
}

/**
 * @param {string} from
 * @param {string} [to]
 * @param {number} [angle]
 * @returns {Ground}
 */
function grounded(from, to = from, angle = 0) {
  return { from, to, angle, text: worst(INK, from, to) >= worst(PAPER, from, to) ? INK : PAPER };
}

/**
 * The lower contrast of a text colour with both ends of a ground.
 * @param {string} text
 * @param {string} from
 * @param {string} to
 */
function worst(text, from, to) {
  return Math.min(contrast(text, from), contrast(text, to));
}

/**
 * The value of CSS `background`. Set with `style.setProperty`, which a strict policy of the page allows.
 * @param {Ground} ground
 */
export function cssBackground({ from, to, angle }) {
  return from === to ? from : `linear-gradient(${angle}deg, ${from}, ${to})`;
}
