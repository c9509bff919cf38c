// The order that an estimate becomes. Apart from orders: the board does not need it to start.

import { request } from "../api/client.js";
import { workName } from "../domain/work-name.js";
import { command } from "./commands.js";
import { replica, settle } from "./outbox.js";
import { open, softly } from "./records.js";

/**
 * The estimate became work. Returns the id of the order. Needs a connection. Throws Problem.
 * @param {string} estimateId
 * @param {Api.OrderFromEstimate} [body]
 */
export async function createOrderOf(estimateId, body = {}) {
  const id = await settle(estimateId);
  // Its lines name the order where nobody has named the estimate.
  await softly(() => open("estimate", id));
  const known = replica.views.estimate.peek().get(id);
  const title = known && workName(known.name, known.lineItems);
  if (title && title !== known.name) body = { title, ...body };
  const { data, etag } = await command(
    ["order of", id, body],
    (key) => request("POST /estimates/{estimateId}/orders", { estimateId: id }, { body, key }),
  );
  await replica.commit({
    objects: [{ kind: "order", id: data.id, workshopId: data.workshopId, value: data, etag }],
  });
  return data.id;
}
