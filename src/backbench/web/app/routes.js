/**
 * Every screen: its name, its path, what it needs before it can be shown, and its module.
 * A module of a screen exports `screen`, a component whose props are the parameters of the path.
 *
 * @typedef {"nothing" | "session" | "workshop"} Need
 * @typedef {Readonly<Record<string, string>>} Params
 * @typedef {{ screen: (props: { params: Params }) => import("./vendor/preact.js").ComponentChild }} ScreenModule
 * @typedef {{ name: string, path: string, needs: Need, load: () => Promise<ScreenModule> }} Route
 */

/** @param {string} name @param {string} path @param {Need} needs @param {Route["load"]} load @returns {Route} */
const route = (name, path, needs, load) => ({ name, path, needs, load });

export const ROUTES = [
  route("board", "/", "workshop", () => import("./screens/board.js")),
  route("inbox", "/inbox", "workshop", () => import("./screens/inbox.js")),
  route("intake", "/orders/new", "workshop", () => import("./screens/intake.js")),
  route("order", "/orders/:orderId", "workshop", () => import("./screens/order.js")),
  route("share", "/share", "workshop", () => import("./screens/share.js")),
  route("invoices", "/invoices", "workshop", () => import("./screens/invoices.js")),
  route("invoice", "/invoices/:invoiceId", "workshop", () => import("./screens/invoices.js")),
  route("floor", "/floor", "workshop", () => import("./screens/wall-display.js")),
  route("estimates", "/estimates", "workshop", () => import("./screens/estimates.js")),
  route("builder", "/estimates/:estimateId", "workshop", () => import("./screens/builder.js")),
  route("send", "/estimates/:estimateId/send", "workshop", () => import("./screens/send.js")),
  route("revisions", "/estimates/:estimateId/revisions", "workshop", () => import("./screens/revisions.js")),
  route("customers", "/customers", "workshop", () => import("./screens/customers.js")),
  route("customer", "/customers/:customerId", "workshop", () => import("./screens/customer.js")),
  route("tiles", "/tiles", "workshop", () => import("./screens/tiles.js")),
  route("tiles-of", "/tiles/:gridId", "workshop", () => import("./screens/tiles.js")),
  route("catalog", "/catalog", "workshop", () => import("./screens/catalog.js")),
  route("shop", "/shop", "workshop", () => import("./screens/settings/settings.js")),
  route("sign", "/shop/sign", "workshop", () => import("./screens/settings/sign.js")),
  route("money", "/shop/money", "workshop", () => import("./screens/settings/document-money.js")),
  route("documents", "/shop/documents", "workshop", () => import("./screens/settings/documents.js")),
  route("messages", "/shop/messages", "workshop", () => import("./screens/settings/messages.js")),
  route("numbers", "/shop/numbers", "workshop", () => import("./screens/numbers.js")),
  route("owed", "/shop/numbers/owed", "workshop", () => import("./screens/numbers/owed.js")),
  route("month", "/shop/numbers/:month", "workshop", () => import("./screens/numbers/month.js")),
  route("team", "/shop/team", "workshop", () => import("./screens/settings/team.js")),
  route("plan", "/shop/plan", "workshop", () => import("./screens/settings/plan.js")),
  route("files", "/shop/files", "workshop", () => import("./screens/settings/files.js")),
  route("activity", "/shop/activity", "workshop", () => import("./screens/settings/activity.js")),
  route("connections", "/shop/connections", "workshop", () => import("./screens/settings/connections.js")),
  route(
    "connection",
    "/shop/connections/:connection",
    "workshop",
    () => import("./screens/settings/connection.js"),
  ),
  route("account", "/shop/account", "session", () => import("./screens/settings/account.js")),
  route("devices", "/shop/devices", "session", () => import("./screens/settings/devices.js")),
  route("keys", "/shop/keys", "session", () => import("./screens/settings/keys.js")),
  route("export", "/shop/export", "session", () => import("./screens/settings/export.js")),
  route("start", "/start", "session", () => import("./screens/start.js")),
  route("sign-in", "/sign-in", "nothing", () => import("./screens/sign-in.js")),
  route("sign-up", "/sign-up", "nothing", () => import("./screens/sign-up.js")),
  route("forgot", "/forgot-password", "nothing", () => import("./screens/forgot.js")),
];
