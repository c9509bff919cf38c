import { account } from "./account.js";
import { board } from "./board.js";
import { common } from "./common.js";

/** @type {typeof import("../en/index.js").en} */
export const pl = {
  account,
  board,
  common,
};
