import { account } from "./account.js";
import { builder } from "./builder.js";
import { catalog } from "./catalog.js";
import { desk } from "./desk.js";
import { errors, fields, statuses } from "./errors.js";
import { estimates } from "./estimates.js";
import { inbox } from "./inbox.js";
import { orders } from "./orders.js";
import { send } from "./send.js";
import { start } from "./start.js";
import { tiles } from "./tiles.js";

/** Words of the other screens, by area: a line here for each file. */
export const later = {
  account,
  builder,
  catalog,
  desk,
  estimates,
  inbox,
  orders,
  send,
  start,
  tiles,
  problems: { errors, fields, statuses },
};
