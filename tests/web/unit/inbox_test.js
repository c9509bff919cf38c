// The inbox: the order in which it is shown, and where its steps are done.

import {
  inOrder,
  isAnswer,
  listed,
  owedBy,
  pageOf,
  since,
  STEPS,
} from "../../../src/backbench/web/app/domain/inbox.js";
import { same } from "./expect.js";
import { browser, service, until } from "./pages.js";

/** @param {Api.InboxItem["kind"]} kind @param {string} day @param {Partial<Api.InboxItem>} [more] @returns {Api.InboxItem} */
const item = (kind, day, more = {}) => ({
  id: `${kind}.${day}`,
  kind,
  at: `2026-11-${day}T09:00:00.000Z`,
  title: "Oak table",
  ...more,
});

Deno.test("answers of clients come first, then the rest, each newest first", () => {
  const kinds = /** @type {const} */ ([
    ["unsent", "20"],
    ["question", "02"],
    ["declined", "01"],
    ["accepted", "03"],
    ["overdue", "21"],
    ["accepted", "04"],
  ]);
  const found = inOrder(kinds.map(([kind, day]) => item(kind, day)));
  same(found.map(({ id }) => id), [
    "accepted.04",
    "accepted.03",
    "declined.01",
    "question.02",
    "overdue.21",
    "unsent.20",
  ]);
});

Deno.test("what the board shows is not listed, and an estimate is reminded of once", () => {
  const of = { estimateId: "e" };
  const found = [
    item("accepted", "05", of),
    item("overdue", "04", { orderId: "o" }),
    item("due_today", "04", { orderId: "p" }),
    item("expiring", "03", of),
    item("unanswered", "02", of),
    item("unanswered", "01", { estimateId: "f" }),
    item("owed", "01", { orderId: "o" }),
  ];
  same(listed(found).map(({ id }) => id), ["accepted.05", "expiring.03", "unanswered.01", "owed.01"]);
  same(found.filter(isAnswer).map(({ id }) => id), ["accepted.05"]);
});

Deno.test("a reminder has the time of what it reminds of, not its own", () => {
  const at = (/** @type {Api.InboxItem["kind"]} */ kind) => new Date(since(item(kind, "20"))).toISOString();
  same([at("unanswered"), at("uncollected"), at("owed")], [
    "2026-11-13T09:00:00.000Z",
    "2026-11-06T09:00:00.000Z",
    "2026-11-20T09:00:00.000Z",
  ]);
});

Deno.test("each kind leads to where its next step is done", () => {
  const estimate = { estimateId: "e" };
  /** @param {Api.InboxItem["kind"]} kind @param {Partial<Api.InboxItem>} of */
  const page = (kind, of) => pageOf(item(kind, "01", of), STEPS[kind]);
  same(page("question", estimate), "/estimates/e/send");
  same(page("question", { orderId: "o" }), "/orders/o");
  same(page("declined", estimate), "/estimates/e");
  same(page("changed", estimate), "/estimates/e");
  same(page("unsent", estimate), "/estimates/e/send");
  same(page("over_limit", { ...estimate, orderId: "o" }), "/estimates/e/send");
  same(page("overdue", { orderId: "o" }), "/orders/o");
});

Deno.test({
  name: "without a connection what was seen is not sent, and is once it is back",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const server = service("anna");
    const own = browser(server);
    const app = await own.open();
    await app.signIn("anna@example.org", "right");
    await until(() => app.hasOrders.value);
    const seen = { ...item("question", "02"), workshopId: "w-anna" };
    const asked = () => server.asked.filter(({ path }) => path.endsWith("/inbox/read")).length;
    own.events.dispatchEvent(new Event("offline"));
    await app.markRead([seen]);
    await app.markRead([seen]);
    same(asked(), 0);
    own.events.dispatchEvent(new Event("online"));
    await app.markRead([seen]);
    same(asked(), 1);
  },
});

Deno.test({
  name: "a response that comes after the connection was lost leaves the inbox one of before",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const server = service("anna");
    const own = browser(server);
    const app = await own.open();
    await app.signIn("anna@example.org", "right");
    app.startInbox();
    await until(() => app.hasOrders.value);
    const [underWay, arriving] = [Promise.withResolvers(), Promise.withResolvers()];
    server.after = async ({ path }) => {
      if (!path.endsWith("/changes")) return;
      underWay.resolve(undefined);
      await arriving.promise;
    };
    const pull = app.refresh();
    await underWay.promise;
    own.events.dispatchEvent(new Event("offline"));
    same(app.isOld.value, true);
    arriving.resolve(undefined);
    await pull;
    same(app.isOld.value, true);
    own.events.dispatchEvent(new Event("online"));
    await app.refresh();
    same(app.isOld.value, false);
  },
});

Deno.test("an unpaid invoice is opened, and says what is left of it", () => {
  const unpaid = /** @type {any} */ ({ kind: "unpaid", text: "123.00 PLN", orderId: "o", invoiceId: "i" });
  same(STEPS.unpaid, "open");
  same(pageOf(unpaid, STEPS.unpaid), "/invoices/i");
  same(owedBy(unpaid), { amount: "123.00", currency: "PLN" });
});
