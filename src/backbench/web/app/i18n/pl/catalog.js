/** @type {typeof import("../en/catalog.js").catalog} */
export const catalog = {};
