/** @type {typeof import("../en/shop.js").shop} */
export const shop = {};
