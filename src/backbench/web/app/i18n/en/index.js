import { account } from "./account.js";
import { board } from "./board.js";
import { builder } from "./builder.js";
import { common } from "./common.js";
import { desk } from "./desk.js";
import { estimates } from "./estimates.js";
import { start } from "./start.js";

/** The words by area: a line here for each file. */
export const en = {
  account,
  board,
  builder,
  common,
  desk,
  estimates,
  start,
};
