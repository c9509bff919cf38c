/** @type {typeof import("../en/send.js").send} */
export const send = {};
