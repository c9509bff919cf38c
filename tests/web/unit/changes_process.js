// What the app shows while a change waits, and how it sends it: for the comparison with what the server makes of it.

import { KINDS } from "../../../src/backbench/web/app/domain/kinds.js";
import { stageOf } from "../../../src/backbench/web/app/domain/stages.js";
import { applied, mutation } from "../../../src/backbench/web/app/state/sync/mutations.js";
import { answers } from "../answers.js";

/** @typedef {import("../../../src/backbench/web/app/domain/kinds.js").Kind} Kind */
/** @typedef {import("../../../src/backbench/web/app/local/memory.js").Item} Item */
/** @typedef {{ item: Item, object?: any, order?: Api.Order }} Change */

await answers((/** @type {Change & { path?: Kind, id: string }} */ { path, id, ...change }) =>
  path ? KINDS[path].path(id) : changed(change)
);

/** @param {Change} change */
function changed({ item, object, order }) {
  const { way, list = "", body, request } = mutation(item.op);
  const shown = applied(object, item);
  const sent = request(item);
  // As `delivery.js` makes it, of an object that nobody else has changed.
  if (way === "fields" || way === "list") {
    sent.body = body ? body(shown) : way === "list" ? { [list]: shown[list] } : item.args.fields;
  }
  if (order) shown.stage = stageOf(order, shown);
  return { ...sent, shown: shown ?? null };
}
