/** Words of the list of estimates and of the revisions. */
export const estimates = {
  title: "Estimates",
  search: "Name, client or number",
  filter: "State",
  all: "All",
  empty: "Your estimates are kept here. The first one takes a minute.",
  first: "Make an estimate",
  /** @param {string} query */
  nothingFound: (query) => `No estimate with “${query}”.`,
  noneOfState: "No estimate in this state.",
  loadMore: "Show older ones",
  noClient: "No client yet",
  send: "Send",
  sendAgain: "Send again",
  itsAJob: "Create an order",
  toTheOrder: "To the order",
  more: "More",
  /** @param {string} name */
  copied: (name) => `${name} duplicated`,
  handoffs: {
    /** @param {string} when */
    "email-opened": (when) => `By email ${when}`,
    /** @param {string} when */
    "pdf-shared": (when) => `PDF sent ${when}`,
    /** @param {string} when */
    "pdf-and-message-shared": (when) => `PDF and message sent ${when}`,
    /** @param {string} when */
    "message-shared": (when) => `Message sent ${when}`,
    /** @param {string} when */
    "message-copied": (when) => `Message copied ${when}`,
  },
  /** @param {number} number */
  ofRevision: (number) => `revision ${number}`,
};
