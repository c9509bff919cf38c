import { board } from "./board.js";
import { common } from "./common.js";

/** Words of the first screen, by area: a line here for each file. */
export const en = { board, common };
