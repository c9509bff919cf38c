// Tickets of the board: only those of which something has changed are new, so that the others are not drawn again.

import { equal } from "./devices.js";
import { browser, service, until } from "./pages.js";

Deno.test({
  name: "a change of one order leaves the tickets of the others as they were",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const app = await browser(service("anna")).open();
    await app.signIn("anna@example.org", "right");
    await until(() => app.hasOrders.value);
    const [oak, ash] = [await app.settle(app.createOrder("Oak")), await app.settle(app.createOrder("Ash"))];
    const ticket = (/** @type {string} */ id) =>
      app.tickets.value.find((/** @type {any} */ { order }) => order.id === id);
    let before = [ticket(oak), ticket(ash)];
    app.editOrder(oak, { notes: "four legs" });
    equal([ticket(oak) === before[0], ticket(ash) === before[1]], [false, true]);
    equal(ticket(oak).order.notes, "four legs");
    await app.settle(oak);
    before = [ticket(oak), ticket(ash)];
    const value = { photos: 1 };
    await app.replica.commit({
      objects: [{ kind: "orderSummary", id: ash, workshopId: "w-anna", value, etag: null }],
    });
    equal([ticket(oak) === before[0], ticket(ash) === before[1]], [true, false]);
    equal(ticket(ash).facts, value);
  },
});

Deno.test({
  name: "the search finds orders without regard to case and accents, by every text that it looks in",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const app = await browser(service("anna")).open();
    await app.signIn("anna@example.org", "right");
    await until(() => app.hasOrders.value);
    const id = await app.settle(app.createOrder("Łóżko dębowe", "Zażółć Gęś"));
    const value = {
      number: 27,
      place: "Półka Ć",
      phone: "600 100 200",
      item: { description: "Noga krzywa" },
    };
    await app.replica.commit({
      objects: [{ kind: "orderSummary", id, workshopId: "w-anna", value, etag: null }],
    });
    const found = (/** @type {string} */ query) => app.matching("todo", query).length;
    for (
      const query of ["lozko", "ŁÓŻKO", " Łóżko ", "zazolc ges", "polka c", "600 100", "27", "KRZYWA", ""]
    ) {
      equal([query, found(query)], [query, 1]);
    }
    equal([found("lozka"), app.matching("done", "lozko").length], [0, 0]);
  },
});
