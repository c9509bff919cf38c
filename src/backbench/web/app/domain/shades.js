// Shades: colours that are made of the one that a workshop chose.

import { channels, luminance, PAPER, ratio } from "./colours.js";

/** @typedef {import("./colours.js").Channels} Channels */

/** Small text needs this contrast with its background. */
export const TEXT_CONTRAST = 4.5;
/** The accent of a workshop that has chosen none. */
export const DEFAULT_ACCENT = "#3A3733";
const DARKER = 0.96;

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

/** @param {Channels} colour */
function hex({ red, green, blue }) {
  // Rounded down, so that the contrast with paper is never lower than required.
  return "#" +
    [red, green, blue].map((channel) => Math.floor(channel * 255 + 1e-9).toString(16).padStart(2, "0")).join(
      "",
    );
}
