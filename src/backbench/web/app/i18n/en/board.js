/** Words of the board. */
export const board = {
  title: "Board",
  orders: "Orders",
  done: "Done",
  start: "Start",
  finish: "Done",
  reopen: "Reopen",
  newOrder: "New order",
  /** @param {string} title @param {string} status */
  moved: (title, status) => `${title}: ${status}`,
  /** @param {string} title */
  added: (title) => `${title} is on the board`,
  emptyToDo: "Nothing waiting. New orders appear here.",
  emptyInProgress: "Nothing on the bench. Start an order and it comes here.",
  emptyDone: "Finished orders come here.",
  waitingForYou: "Waiting for you",
  accepted: "The client has accepted",
  changed: "Changed since confirmed",
  notSent: "Confirmed, not sent",
  noAnswer: "Sent over a week ago",
  search: "Search orders",
  /** @param {string} query */
  nothingFound: (query) => `No order with “${query}”.`,
  loadMore: "Show older ones",
  /** @param {number} count */
  count: (count) => `${count}`,
  wall: "Wall display",
};
