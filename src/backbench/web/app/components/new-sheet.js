// New sheet: what is made new, an order or an estimate.

import { words } from "../words/words.js";
import { linkRow, linkRows } from "./link-row.js";
import { sheet } from "./sheet.js";

/** @param {{ onClose: () => void }} props */
export function part({ onClose }) {
  const { board, common } = words.value;
  return sheet(
    { title: common.places.new, onClose },
    linkRows(
      {},
      linkRow({ href: "/orders/new", title: board.newOrder, icon: "package" }),
      linkRow({ href: "/estimates/new", title: board.newEstimate, icon: "receipt-text" }),
    ),
  );
}
