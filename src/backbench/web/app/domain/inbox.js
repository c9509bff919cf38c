// Inbox: the order in which what waits is shown, and the one next step of each kind.

/**
 * `order`: make one of the accepted estimate. `move`: start or finish the order. `send`, `open`: to the page where an
 * estimate is sent, or to the object.
 * @typedef {"order" | "answer" | "revise" | "move" | "call" | "remind" | "send" | "check" | "ask" | "open"} Step
 */
/** @typedef {Api.InboxItem["kind"] | "unpaid"} Kind */

/** Answers of clients come first, those that are work before the others. */
const FIRST = /** @type {readonly string[]} */ (["accepted", "declined", "question"]);

/** Answers of clients: what a badge counts. @param {Pick<Api.InboxItem, "kind">} item */
export const isAnswer = ({ kind }) => FIRST.includes(kind);

/** The days of orders are on the board itself. */
const OF_BOARD = /** @type {readonly string[]} */ (["overdue", "due_today"]);
/** Of an estimate one of them says enough. */
const REMINDERS = /** @type {readonly string[]} */ (["expiring", "changed", "unsent", "unanswered"]);
const DAY = 24 * 60 * 60 * 1000;
/** Kinds that come some days after what they are about. */
const DAYS = /** @type {Record<string, number>} */ ({ unanswered: 7, uncollected: 14 });

/** When that was what it is about, in milliseconds: the sending of what has no answer. @param {Pick<Api.InboxItem, "kind" | "at">} item */
export const since = ({ kind, at }) => Date.parse(at) - (DAYS[kind] ?? 0) * DAY;

/** Without what the board shows, and with one reminder of an estimate. @template {Api.InboxItem} T @param {readonly T[]} items in their order @returns {T[]} */
export function listed(items) {
  const reminded = new Set();
  return items.filter(({ kind, estimateId }) => {
    if (OF_BOARD.includes(kind)) return false;
    if (!REMINDERS.includes(kind)) return true;
    const isFirst = !reminded.has(estimateId);
    reminded.add(estimateId);
    return isFirst;
  });
}

/** @type {Record<Kind, Step>} */
export const STEPS = {
  accepted: "order",
  declined: "revise",
  question: "answer",
  overdue: "move",
  due_today: "move",
  uncollected: "call",
  unanswered: "remind",
  expiring: "remind",
  unsent: "send",
  changed: "check",
  over_limit: "ask",
  owed: "remind",
  unpaid: "open",
};

const OWED = /** @type {readonly string[]} */ (["owed", "unpaid"]);

/** What is owed for an order or an invoice: the text of such an item is the amount with the currency. @param {Pick<Api.InboxItem, "kind" | "text">} item */
export function owedBy({ kind, text = "" }) {
  if (!OWED.includes(kind)) return null;
  const [amount = "", currency = ""] = text.split(" ");
  return { amount, currency };
}

/** @template {Api.InboxItem} T @param {readonly T[]} items @returns {T[]} */
export function inOrder(items) {
  return [...items].sort((one, other) =>
    rank(one) - rank(other) || (one.at < other.at ? 1 : -1) || (one.id < other.id ? 1 : -1)
  );
}

/** @param {Api.InboxItem} item */
function rank({ kind }) {
  const at = FIRST.indexOf(kind);
  return at < 0 ? FIRST.length : at;
}

/** Where the step is done, if not at once. @param {Api.InboxItem & { invoiceId?: string }} item @param {Step} step */
export function pageOf({ estimateId, orderId, invoiceId }, step) {
  if (invoiceId) return `/invoices/${invoiceId}`;
  if (step === "ask" || !orderId) {
    const isSending = !["revise", "check"].includes(step);
    return `/estimates/${estimateId}${isSending ? "/send" : ""}`;
  }
  return `/orders/${orderId}`;
}
