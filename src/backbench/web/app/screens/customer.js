// Customer: the card of one customer.

import { frame } from "../components/frame.js";
import { component } from "../components/tags.js";
import { customerWords } from "../words/customers.js";
import { customerOf } from "../state/customers.js";
import { Card } from "./customers/card.js";

/** @param {{ params: import("../routes.js").Params }} props */
export function screen({ params: { customerId = "" } }) {
  const name = customerOf(customerId)?.name ?? customerWords.value.customer;
  return frame(
    { title: name, place: "shop", back: "/customers" },
    component(Card, { customerId, key: customerId }),
  );
}
