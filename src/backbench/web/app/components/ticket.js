// Ticket: a paper ticket with a title that opens it, details, and one action.

import { words } from "../words/words.js";
import { a, article, div, icon, img, span } from "./tags.js";

/**
 * `status` colours the edge; `pending` shows that it was not sent yet; `meta` is the small last line.
 * @typedef {{ href: string, title: string, detail?: any, meta?: any, status?: string, pending?: boolean,
 *   selected?: boolean, action?: any, sum?: any, drag?: string, cover?: string | false | undefined }} Ticket `cover`: address of a picture
 */

/** @param {Ticket} props */
export function ticket({ href, title, detail, meta, status, pending, selected, action, sum, drag, cover }) {
  const marks = ["ticket", status && `status-${status}`, selected && "selected"].filter(Boolean).join(" ");
  return article(
    {
      class: marks,
      // On phones a long press would start a drag that leads nowhere.
      draggable: drag !== undefined && matchMedia("(pointer: fine)").matches,
      onDragStart: (event) => event.dataTransfer?.setData("text/plain", drag ?? ""),
    },
    cover && img({ class: "ticket-cover", src: cover, alt: "", loading: "lazy", draggable: false }),
    a(
      { class: "ticket-title", href, draggable: false, "aria-current": selected ? "true" : undefined },
      title,
    ),
    detail && div({ class: "ticket-detail" }, detail),
    (meta || pending) && div(
      { class: "ticket-meta" },
      meta,
      pending && span({ class: "row" }, icon("clock"), words.value.common.connection.notSentYet),
    ),
    sum && div({ class: "ticket-sum figures" }, sum),
    action && div({ class: "ticket-action" }, action),
  );
}

/** @param {{ status: string, word: string }} props `status` has its colour and its mark in the style sheet */
export const stamp = ({ status, word }) => span({ class: `stamp status-${status}` }, word);
