// Colours: contrast by WCAG 2, and ink or paper as the text colour on a colour that a workshop chose.

/** @typedef {{red: number, green: number, blue: number}} Channels from 0 to 1 */

export const INK = "#1C1815";
export const PAPER = "#FFFDF8";
/** Small text needs this contrast with its background. */
export const TEXT_CONTRAST = 4.5;
/** The accent of a workshop that has chosen none. */
export const DEFAULT_ACCENT = "#3A3733";
const DARKER = 0.96;

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
 * The same hue, darkened until small text in it can be read on the paper, as PDFs do it.
 * @param {string} colour
 * @param {string} [paper]
 */
export function readable(colour, paper = PAPER) {
  const ground = luminance(channels(paper));
  let found = channels(colour);
  while (ratio(luminance(found), ground) < TEXT_CONTRAST) {
    found = { red: found.red * DARKER, green: found.green * DARKER, blue: found.blue * DARKER };
  }
  return hex(found);
}

/**
 * A mix of two colours: `share` of the second.
 * @param {string} one
 * @param {string} other
 * @param {number} share from 0 to 1
 */
export function mixed(one, other, share) {
  const [from, to] = [channels(one), channels(other)];
  /** @param {"red" | "green" | "blue"} name */
  const channel = (name) => from[name] + (to[name] - from[name]) * share;
  return hex({ red: channel("red"), green: channel("green"), blue: channel("blue") });
}

/**
 * @param {number} one
 * @param {number} other
 */
function ratio(one, other) {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** @param {Channels} colour */
function luminance({ red, green, blue }) {
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
function channels(colour) {
  if (!isColour(colour)) throw new RangeError(`Not a colour: ${colour}`);
  /** @param {number} at */
  const channel = (at) => parseInt(colour.slice(at, at + 2), 16) / 255;
  return { red: channel(1), green: channel(3), blue: channel(5) };
}

/** @param {Channels} colour */
function hex({ red, green, blue }) {
  // Rounded down, so that the contrast with paper is never lower than required.
  return "#" +
    [red, green, blue].map((channel) => Math.floor(channel * 255 + 1e-9).toString(16).padStart(2, "0")).join(
      "",
    );
}
