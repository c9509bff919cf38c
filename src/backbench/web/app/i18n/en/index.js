import { account } from "./account.js";
import { board } from "./board.js";
import { common } from "./common.js";

/** The words by area: a line here for each file. */
export const en = {
  account,
  board,
  common,
};
