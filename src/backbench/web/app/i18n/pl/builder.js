/** @type {typeof import("../en/builder.js").builder} */
export const builder = {};
