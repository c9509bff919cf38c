// Foot: what is done with a screen or a sheet, and above it why that did not work. Whoever has pressed looks there.

import { div, footer } from "./tags.js";

/** `problem` is a notice or a sentence. @typedef {{ foot?: any, problem?: any }} Foot */

/** Of a screen. @param {Foot} props */
export const screenFoot = ({ foot, problem }) => foot && footer({ class: "foot" }, problem, foot);

/** Of a sheet. @param {Foot} props */
export const sheetFoot = ({ foot, problem }) => foot && div({ class: "sheet-foot" }, problem, foot);
