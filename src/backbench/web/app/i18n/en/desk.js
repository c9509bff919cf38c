/** Words of the desk and of the wall display. */
export const desk = {
  floor: {
    late: "No connection",
    /** @param {number} count */
    more: (count) => `and ${count} more`,
  },
  keys: {
    title: "Keys",
    newOrder: "New order",
    newEstimate: "New estimate",
    search: "Search",
    tiles: "Tiles of the grid shown",
    send: "Send the estimate",
    help: "These keys",
    places: "Board, estimates, tiles, workshop",
  },
};
