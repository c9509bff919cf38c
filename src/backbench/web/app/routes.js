/**
 * Every screen: its name, its path, what it needs before it can be shown, and its module.
 * A module of a screen exports `screen`, a component whose props are the parameters of the path.
 *
 * @typedef {"nothing" | "session" | "workshop"} Need
 * @typedef {Readonly<Record<string, string>>} Params
 * @typedef {{ screen: (props: { params: Params }) => import("./vendor/preact.js").ComponentChild }} ScreenModule
 * @typedef {{ name: string, path: string, needs: Need, load: () => Promise<ScreenModule> }} Route
 */

/** @type {readonly Route[]} */
export const ROUTES = [
  { name: "board", path: "/", needs: "workshop", load: () => import("./screens/board.js") },
  { name: "intake", path: "/orders/new", needs: "workshop", load: () => import("./screens/intake.js") },
  {
    name: "order",
    path: "/orders/:orderId",
    needs: "workshop",

    load: () => import("./screens/order.js"),
  },
  { name: "share", path: "/share", needs: "workshop", load: () => import("./screens/share.js") },
  { name: "floor", path: "/floor", needs: "workshop", load: () => import("./screens/wall-display.js") },

  { name: "estimates", path: "/estimates", needs: "workshop", load: () => import("./screens/estimates.js") },
  {
    name: "builder",
    path: "/estimates/:estimateId",
    needs: "workshop",
    load: () => import("./screens/builder.js"),
  },
  {
    name: "send",
    path: "/estimates/:estimateId/send",
    needs: "workshop",
    load: () => import("./screens/send.js"),
  },
  {
    name: "revisions",
    path: "/estimates/:estimateId/revisions",
    needs: "workshop",
    load: () => import("./screens/revisions.js"),
  },

  { name: "customers", path: "/customers", needs: "workshop", load: () => import("./screens/customers.js") },
  {
    name: "customer",
    path: "/customers/:customerId",
    needs: "workshop",
    load: () => import("./screens/customer.js"),
  },

  { name: "tiles", path: "/tiles", needs: "workshop", load: () => import("./screens/tiles.js") },
  { name: "tiles-of", path: "/tiles/:gridId", needs: "workshop", load: () => import("./screens/tiles.js") },
  { name: "catalog", path: "/catalog", needs: "workshop", load: () => import("./screens/catalog.js") },

  { name: "shop", path: "/shop", needs: "workshop", load: () => import("./screens/settings/settings.js") },
  { name: "sign", path: "/shop/sign", needs: "workshop", load: () => import("./screens/settings/sign.js") },
  {
    name: "documents",
    path: "/shop/documents",
    needs: "workshop",
    load: () => import("./screens/settings/documents.js"),
  },
  {
    name: "messages",
    path: "/shop/messages",
    needs: "workshop",
    load: () => import("./screens/settings/messages.js"),
  },
  { name: "numbers", path: "/shop/numbers", needs: "workshop", load: () => import("./screens/numbers.js") },
  {
    name: "owed",
    path: "/shop/numbers/owed",
    needs: "workshop",
    load: () => import("./screens/numbers/owed.js"),
  },
  {
    name: "month",
    path: "/shop/numbers/:month",
    needs: "workshop",
    load: () => import("./screens/numbers/month.js"),
  },
  { name: "team", path: "/shop/team", needs: "workshop", load: () => import("./screens/settings/team.js") },
  { name: "plan", path: "/shop/plan", needs: "workshop", load: () => import("./screens/settings/plan.js") },
  {
    name: "files",
    path: "/shop/files",
    needs: "workshop",
    load: () => import("./screens/settings/files.js"),
  },
  {
    name: "activity",
    path: "/shop/activity",
    needs: "workshop",
    load: () => import("./screens/settings/activity.js"),
  },
  {
    name: "connections",
    path: "/shop/connections",
    needs: "workshop",
    load: () => import("./screens/settings/connections.js"),
  },
  {
    name: "connection",
    path: "/shop/connections/:connection",
    needs: "workshop",
    load: () => import("./screens/settings/connection.js"),
  },
  {
    name: "account",
    path: "/shop/account",
    needs: "session",
    load: () => import("./screens/settings/account.js"),
  },
  {
    name: "devices",
    path: "/shop/devices",
    needs: "session",
    load: () => import("./screens/settings/devices.js"),
  },
  { name: "keys", path: "/shop/keys", needs: "session", load: () => import("./screens/settings/keys.js") },
  {
    name: "export",
    path: "/shop/export",
    needs: "session",
    load: () => import("./screens/settings/export.js"),
  },

  { name: "start", path: "/start", needs: "session", load: () => import("./screens/start.js") },
  {
    name: "sign-in",
    path: "/sign-in",
    needs: "nothing",
    load: () => import("./screens/sign-in.js"),
  },
  { name: "sign-up", path: "/sign-up", needs: "nothing", load: () => import("./screens/sign-up.js") },
  { name: "forgot", path: "/forgot-password", needs: "nothing", load: () => import("./screens/forgot.js") },
];
