/** @type {typeof import("../en/account.js").account} */
export const account = {};
