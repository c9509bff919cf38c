// Facts of a ticket: when it is due, what it waits for, where it lies, what was agreed.

import { icon, span } from "../../components/tags.js";
import { dueOf } from "../../domain/due.js";
import { ago, amount } from "../../domain/format.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { clock } from "../../state/tickets.js";
import { dueText } from "./due-text.js";

/** @typedef {import("../../state/wall.js").WallTicket} Ticket */

/** In their order; without any, when something happened to the order last. @param {Ticket} ticket */
export function factsOf({ order, facts }) {
  const found = [dueChip(order, facts), ...(facts ? others(order, facts) : [])].filter(Boolean);
  return found.length ? found : [ago(order.lastActivityAt, Date.now(), wordsLanguage.value)];
}

/** @param {Ticket["order"]} order @param {Ticket["facts"]} facts */
function dueChip({ status }, facts) {
  if (!facts?.dueOn || status === "done") return null;
  const due = dueOf(facts, clock.value);
  const text = dueText({ ...facts, dueOn: facts.dueOn }, due, clock.value.today);
  return span({ class: `due ${due}` }, icon("clock"), text);
}

/** @param {Ticket["order"]} order @param {NonNullable<Ticket["facts"]>} facts */
function others({ status }, { waitingFor, place, agreed }) {
  return [
    waitingFor && status !== "done" && span({ class: "badge" }, words.value.board.waitingFor[waitingFor]),
    place && span({ class: "fact" }, icon("package"), place),
    agreed && span({ class: "figures" }, amount(agreed.total, agreed.currency, wordsLanguage.value)),
  ];
}
