// Cut: says that not every open order has its facts here.

import { p } from "../../components/tags.js";
import { orderWords } from "../../words/orders.js";

export function part() {
  return p({ class: "quiet-text" }, orderWords.value.cut);
}
