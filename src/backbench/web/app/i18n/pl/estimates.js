/** @type {typeof import("../en/estimates.js").estimates} */
export const estimates = {};
