// Backgrounds of a workshop's sign: the presets by name, and colours of the workshop's own.

import { contrast, INK, PAPER } from "./colours.js";

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
