/** Words of an order. */
export const orders = {
  order: "Order",
  title: "What",
  customer: "For whom",
  notes: "Notes",
  notesHelp: "Sizes, wood, fabric, the dog’s name. Saved while you type.",
  status: "Status",
  history: "History",
  created: "Taken in",
  delete: "Delete the order",
  /** @param {string} title */
  deleted: (title) => `${title} deleted`,
  titleMissing: "An order needs a name.",
  gone: "This order was deleted.",
  backToBoard: "Back to the board",
  notSentYet: "Not sent yet",
  fromEstimate: "Estimate",
  makeEstimate: "Make an estimate for it",
};
