/** @type {typeof import("../en/desk.js").desk} */
export const desk = {};
