/** @type {typeof import("../en/start.js").start} */
export const start = {};
