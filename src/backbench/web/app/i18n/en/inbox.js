/** Words of the inbox: what waits for a person. */
export const inbox = {
  title: "Waiting for you",
  kinds: {
    accepted: "Estimate accepted",
    declined: "Estimate declined",
    question: "Question",
    overdue: "Late",
    due_today: "Due today",
    uncollected: "Ready for two weeks",
    unanswered: "No answer for a week",
    expiring: "Expires soon",
    unsent: "Confirmed, not sent",
    changed: "Changed since confirmed",
    over_limit: "Over the customer’s limit",
    owed: "Not paid yet",
  },
  steps: {
    order: "Create an order",
    answer: "Answer",
    revise: "Revise",
    start: "Start",
    finish: "Done",
    open: "Open",
    call: "Call",
    remind: "Remind",
    send: "Send",
    check: "Check",
    ask: "Ask the customer",
  },
  done: "Done with it",
  /** @param {string} title */
  isDone: (title) => `Done with it: ${title}`,
  /** @param {string} title */
  orderMade: (title) => `Order created: ${title}`,
  showAll: "Show all",
  isNew: "new",
  /** @param {string} time */
  asOf: (time) => `No connection. As of ${time}.`,
};
