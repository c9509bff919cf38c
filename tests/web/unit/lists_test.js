// Long lists: page by page, to the end.

import { equal } from "./devices.js";
import { browser, service, until } from "./pages.js";

/** @param {number} number @param {string} status */
const order = (number, status) => ({
  id: `${status}-${number}`,
  workshopId: "w-anna",
  title: "Oak table",
  customerName: "",
  status,
  notes: "",
  statusHistory: [],
  lastActivityAt: "2026-11-22T08:00:00.000Z",
  createdAt: "2026-11-22T08:00:00.000Z",
});

Deno.test({
  name: "finished orders are reached to the last one, and every open one is there from the start",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const server = service("anna");
    for (let number = 0; number < 620; number += 1) {
      server.orders("anna").push(order(number, "done"), order(number, "todo"));
    }
    const app = await browser(server).open();
    await app.signIn("anna@example.org", "right");
    await until(() => app.session.value.phase === "signed-in" && app.hasOrders.value);
    const count = (/** @type {string} */ status) =>
      app.orders.value.filter((/** @type {any} */ { status: each }) => each === status).length;
    equal([count("todo"), count("done")], [620, 50]);
    let pages = 1;
    while (pages < 20 && await app.loadDone()) pages += 1;
    equal([count("todo"), count("done"), pages], [620, 620, 12]);
  },
});
