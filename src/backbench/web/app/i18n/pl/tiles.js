/** @type {typeof import("../en/tiles.js").tiles} */
export const tiles = {};
