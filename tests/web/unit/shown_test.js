// Writes for what is on the screen: confirming while a field is saved, and while somebody else changes the estimate.

import { isProblem } from "../../../src/backbench/web/app/api/problems.js";
import { writeSeen } from "../../../src/backbench/web/app/state/revising.js";
import { device, equal, world } from "./devices.js";

/** An estimate that a device shows, with what confirms it as the screen of sending does. */
async function shownEstimate() {
  const made = world();
  const anna = await device(made);
  const local = anna.newId("estimate");
  anna.do("estimate.create", local, {
    name: "Chairs",
    lineItems: [{ id: "l1", label: "Chair", unitPrice: 10 }],
  });
  await anna.sendAll();
  const id = anna.replica.presentId(local);
  const look = () => JSON.stringify([anna.see("estimate", id)?.lineItems, anna.see("document", id) ?? {}]);
  const tag = () => anna.replica.base("estimate", id)?.etag ?? null;
  const load = () => Promise.all([anna.read("estimate", id), anna.read("document", id)]);
  await load();
  const { send } = made.server;
  const confirm = (/** @type {string} */ seen) =>
    writeSeen(
      { seen, look, tag, load },
      (ifMatch) => send("POST", `/estimates/${id}/confirm`, { ...(ifMatch === null ? {} : { ifMatch }) }),
    );
  const asked = () => made.server.state.requests.filter((each) => each.endsWith("/confirm")).length;
  return { ...made, anna, id, look, confirm, asked };
}

Deno.test("a field that is saved at the same time is no change by somebody else", async () => {
  const { anna, server, id, look, confirm, asked } = await shownEstimate();
  anna.do("document.edit", id, { fields: { recipientEmail: "aoife@client.example" } }, {
    recipientEmail: null,
  });
  const seen = look();
  // The document is saved, and gives the estimate another tag: this device knows it.
  await anna.sendAll();
  await confirm(seen);
  equal([asked(), server.value(id).revisions.length], [1, 1]);
});

Deno.test("what somebody else has changed and changed back is no change", async () => {
  const made = await shownEstimate();
  const { server, id, look, confirm, asked } = made;
  const seen = look();
  const ben = await device(made, { tab: "t2" });
  await ben.read("document", id);
  for (const [is, was] of [["aoife@client.example", null], [null, "aoife@client.example"]]) {
    ben.do("document.edit", id, { fields: { recipientEmail: is } }, { recipientEmail: was });
    await ben.sendAll();
  }
  await confirm(seen);
  equal(asked(), 2, "refused once, then repeated");
  equal(server.value(id).revisions.length, 1);
});

Deno.test("what somebody else has changed is shown before it is confirmed", async () => {
  const made = await shownEstimate();
  const { server, id, look, confirm, asked } = made;
  const seen = look();
  const ben = await device(made, { tab: "t2" });
  await ben.read("estimate", id);
  ben.do("estimate.editLine", id, { lineId: "l1", fields: { unitPrice: 20 } }, { unitPrice: 10 });
  await ben.sendAll();
  const error = await confirm(seen).then(() => null, (problem) => problem);
  equal(isProblem(error) && error.code, "precondition_failed");
  equal(asked(), 1);
  equal(server.value(id).revisions, undefined);
  // Looked at again, it is confirmed as it is now.
  await confirm(look());
  equal(server.value(id).revisions.length, 1);
});

Deno.test("what was changed on this device since the press is not confirmed unseen", async () => {
  const { anna, id, look, confirm, asked } = await shownEstimate();
  const seen = look();
  anna.do("estimate.editLine", id, { lineId: "l1", fields: { unitPrice: 30 } }, { unitPrice: 10 });
  const error = await confirm(seen).then(() => null, (problem) => problem);
  equal(isProblem(error) && error.code, "precondition_failed");
  equal(asked(), 0);
});
