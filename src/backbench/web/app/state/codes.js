// Codes: the order that a scanned code or a typed number is of.

import { call, request } from "../api/client.js";
import { isProblem } from "../api/problems.js";
import { tickets } from "./tickets.js";
import { workshopId } from "./workshops.js";

/** The id of the order; "" where the code is of nobody's, or of another workshop. Needs a connection. Throws Problem. @param {string} token */
export async function orderOfCode(token) {
  try {
    const { headers } = await request("GET /client/order", {}, { bearer: token, isPublic: true });
    return headers.get("Backbench-Order") ?? "";
  } catch (error) {
    // An old code, which was renewed, or that of an order which was deleted.
    if (isProblem(error) && error.status === 401) return "";
    throw error;
  }
}

/** The same by its number. An order that this device knows is found without a connection. Throws Problem. @param {string} digits */
export async function orderOfNumber(digits) {
  const number = Number(digits);
  const known = tickets.value.find(({ facts }) => facts?.number === number);
  if (known) return known.order.id;
  const { summaries } = await call("GET /workshops/{workshopId}/order-summaries", {
    workshopId: workshopId.value,
    q: digits,
    limit: 100,
  });
  return summaries.find((one) => one.number === number)?.orderId ?? "";
}
