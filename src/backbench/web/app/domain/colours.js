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
