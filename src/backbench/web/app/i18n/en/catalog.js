/** Words of the catalog. */
export const catalog = {
  title: "Catalog",
  search: "Search: sofa, tap, gutter",
  jobs: "Kinds of jobs",
  items: "Single items",
  makeGrid: "Make a grid",
  addAll: "Add all",
  choose: "Choose single ones",
  /** @param {string} grid */
  addingTo: (grid) => `Everything chosen here goes on “${grid}”.`,
  /** @param {string} tiles */
  addChosen: (tiles) => `Add ${tiles}`,
  whichGrid: "On which grid?",
  onNewGrid: "On a new grid",
  newGridName: "My tiles",
  /** @param {string} grid */
  made: (grid) => `The grid “${grid}” is ready`,
  unavailable: "The catalog comes once there is a connection. After that it stays on this device.",
  nothing: "Nothing in the catalog fits these words. A new tile takes any name.",
  /** @param {number} shown */
  first: (shown) => `The first ${shown} are shown. Another word narrows it down.`,
};
