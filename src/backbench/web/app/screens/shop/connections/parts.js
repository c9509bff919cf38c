// The connections that can be set up, in the order of their list. One more is a line here, and its words in
// words/connections.js; its module exports `screen`, as those of the routes do.

/** @typedef {typeof PARTS[number]} Part */

export const PARTS = /** @type {const} */ ([
  { name: "calendars", icon: "calendar", load: () => import("./calendars.js") },
  { name: "push", icon: "smartphone", load: () => import("./push.js") },
  { name: "webhooks", icon: "send", load: () => import("./webhooks.js") },
  { name: "agents", icon: "sparkles", load: () => import("./agents.js") },
  { name: "imports", icon: "upload", load: () => import("./imports.js") },
]);
