// What is edited field by field: settings, sign, notes, profile and document facts go through the outbox like orders.

import { device, equal, world } from "./devices.js";

/** @typedef {import("../../../src/backbench/web/app/domain/kinds.js").Kind} Kind */

/** @typedef {ReturnType<typeof world>} World */

const SETTINGS = "/workshops/w1/document-settings";

/** A device that knows an object. @param {World} at @param {Kind} kind @param {string} id */
async function knowing(at, kind, id) {
  const phone = await device(at);
  await phone.read(kind, id);
  return phone;
}

/** Somebody else's change. @param {World} at @param {string} path @param {Record<string, any>} fields */
function others(at, path, fields) {
  at.server.state.things.set(path, { ...at.server.state.things.get(path), ...fields });
}

/** @param {World} at */
async function withEstimate(at) {
  const phone = await device(at);
  const id = phone.newId("estimate");
  phone.do("estimate.create", id, { name: "Kitchen", lineItems: [] });
  return { phone, id };
}

Deno.test("settings of two people are merged by field", async () => {
  const at = world();
  const phone = await knowing(at, "settings", "w1");
  others(at, SETTINGS, { email: "theirs@example.org" });
  phone.do("settings.edit", "w1", { fields: { phone: "123" } }, { phone: "" });
  await phone.sendAll();
  equal(at.server.state.things.get(SETTINGS), {
    currency: "EUR",
    phone: "123",
    email: "theirs@example.org",
  });
  equal([phone.waiting(), phone.see("settings", "w1").email], [[], "theirs@example.org"]);
});

Deno.test("a setting that two people changed waits for a choice", async () => {
  const at = world();
  const phone = await knowing(at, "settings", "w1");
  others(at, SETTINGS, { phone: "456" });
  phone.do("settings.edit", "w1", { fields: { phone: "123" } }, { phone: "" });
  await phone.sendAll();
  const [item] = phone.waiting();
  equal(item && phone.conflictsIn(item), [{ field: "phone", mine: "123", theirs: "456" }]);
  equal(at.server.state.things.get(SETTINGS).phone, "456");
});

Deno.test("a refused setting keeps what was typed and stops no other", async () => {
  const at = world();
  const phone = await knowing(at, "settings", "w1");
  const fields = { phone: "\u0007", email: "anna@example.org" };
  phone.do("settings.edit", "w1", { fields }, { phone: "", email: "" });
  await phone.sendAll();
  equal(at.server.state.things.get(SETTINGS).email, "anna@example.org");
  equal(phone.waiting().map(({ args, problem }) => [args.fields, problem?.code]), [
    [{ phone: "\u0007" }, "validation_error"],
  ]);
  phone.do("settings.edit", "w1", { fields: { currency: "PLN" } }, { currency: "EUR" });
  await phone.sendAll();
  equal([at.server.state.things.get(SETTINGS).currency, phone.waiting().length], ["PLN", 1]);
  phone.do("settings.edit", "w1", { fields: { phone: "1" } }, { phone: "\u0007" });
  await phone.sendAll();
  equal([at.server.state.things.get(SETTINGS).phone, phone.waiting()], ["1", []]);
});

Deno.test("notes and sign of a workshop are two things to save", async () => {
  const at = world();
  const phone = await knowing(at, "workshop", "w1");
  phone.do("workshop.editNotes", "w1", { fields: { notes: "Oak" } }, { notes: "" });
  phone.do("workshop.edit", "w1", { fields: { name: "Thread" } }, { name: "Harrow" });
  equal([phone.see("workshop", "w1").context.notes, phone.see("workshop", "w1").name], ["Oak", "Thread"]);
  await phone.sendAll();
  const workshop = at.server.state.things.get("/workshops/w1");
  equal([workshop.context.notes, workshop.name, phone.waiting()], ["Oak", "Thread", []]);
});

Deno.test("a profile is saved when there is a connection", async () => {
  const at = world();
  const phone = await knowing(at, "profile", "me");
  phone.network.fate = () => "lost";
  phone.do("profile.edit", "me", { fields: { name: "Anna Nowak" } }, { name: "Anna" });
  await phone.sendAll();
  equal(phone.see("profile", "me").name, "Anna Nowak");
  phone.network.fate = () => "arrives";
  await phone.sendAll();
  equal([at.server.state.things.get("/me").name, phone.waiting()], ["Anna Nowak", []]);
});

Deno.test("facts of a document that is not sent yet follow it", async () => {
  const at = world();
  const { phone, id } = await withEstimate(at);
  phone.do("document.edit", id, { fields: { intro: "Hello" } }, { intro: null });
  equal(phone.see("document", id), { intro: "Hello" });
  await phone.sendAll();
  equal([at.server.state.things.get("/estimates/estimate-1/document"), phone.waiting()], [
    { intro: "Hello" },
    [],
  ]);
});

Deno.test("facts that were not read yet are not replaced", async () => {
  const at = world();
  const { phone, id } = await withEstimate(at);
  await phone.sendAll();
  const path = `/estimates/${phone.replica.presentId(id)}/document`;
  others(at, path, { terms: "Theirs", recipientEmail: "theirs@example.org" });
  phone.do("document.edit", id, { fields: { recipientPhone: "1", recipientEmail: "mine@example.org" } }, {
    recipientPhone: null,
    recipientEmail: null,
  });
  await phone.sendAll();
  equal(at.server.state.things.get(path), { terms: "Theirs", recipientEmail: "theirs@example.org" });
  const [item] = phone.waiting();
  equal(item && phone.conflictsIn(item).map(({ theirs }) => theirs), ["theirs@example.org"]);
});

Deno.test("taxes of two lines by two people are both kept", async () => {
  const at = world();
  const { phone, id } = await withEstimate(at);
  await phone.sendAll();
  const path = `/estimates/${phone.replica.presentId(id)}/document`;
  others(at, path, { lineTaxes: { l1: 5 } });
  phone.do("document.editTaxes", id, { fields: { l2: 8 } }, { l2: null });
  await phone.sendAll();
  equal(at.server.state.things.get(path), { lineTaxes: { l1: 5, l2: 8 } });
});
