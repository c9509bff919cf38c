/** Words of the desk and of the wall display. */
export const desk = {
  floor: {
    late: "No connection: this may be out of date",
    /** @param {number} count */
    more: (count) => `and ${count} more`,
  },
  keys: {
    title: "Keys",
    newOrder: "New order",
    newEstimate: "New estimate",
    search: "Search",
    tiles: "Tiles of the grid shown",
    quantity: "Quantity of the line added last",
    undo: "Undo",
    send: "Send the estimate",
    help: "These keys",
    places: "Board, estimates, tiles, workshop",
  },
};
