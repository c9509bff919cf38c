import { Problem } from "../../../src/backbench/web/app/api/problems.js";
import * as records from "../../../src/backbench/web/app/state/shared-record.js";
import { same } from "./expect.js";

/** A server with one object, which somebody else can change. @param {Record<string, string>} value */
function modelServer(value) {
  const server = { value, version: 1, writes: 0 };
  const answer = () => ({
    status: 200,
    data: { ...server.value },
    etag: `"${server.version}"`,
    headers: new Headers(),
  });
  const record = records.sharedRecord({
    initial: { ...value },
    read: () => Promise.resolve(answer()),
    write: (_known, fields, tag) => {
      server.writes += 1;
      if (tag !== `"${server.version}"`) return Promise.reject(new Problem(412, "precondition_failed"));
      if (fields["phone"] === "\u0007") {
        const errors = [{ pointer: "/phone", code: "pattern", detail: "" }];
        return Promise.reject(new Problem(400, "validation_error", { errors }));
      }
      Object.assign(server.value, fields);
      server.version += 1;
      return Promise.resolve(answer());
    },
  });
  /** @param {Record<string, string>} fields */
  const changeByOthers = (fields) => {
    Object.assign(server.value, fields);
    server.version += 1;
  };
  return { server, record, changeByOthers };
}

Deno.test("changes of different fields by two people are merged", async () => {
  const { server, record, changeByOthers } = modelServer({ name: "Old", phone: "1" });
  await records.load(record);
  changeByOthers({ phone: "2" });
  await records.save(record, { name: "New" });
  same([server.value, record.value.value, records.isSaved(record)], [
    { name: "New", phone: "2" },
    { name: "New", phone: "2" },
    true,
  ]);
});

Deno.test("a field that two people changed waits for a choice", async () => {
  const { server, record, changeByOthers } = modelServer({ name: "Old" });
  await records.load(record);
  changeByOthers({ name: "Theirs" });
  await records.save(record, { name: "Mine" });
  same([server.value.name, records.conflictOf(record, "name")?.theirs], ["Theirs", "Theirs"]);
  await records.keepMine(record, "name");
  same([server.value.name, records.isSaved(record)], ["Mine", true]);
  changeByOthers({ name: "Again" });
  await records.save(record, { name: "Other" });
  records.takeTheirs(record, "name");
  same([record.value.value?.name, records.isSaved(record)], ["Again", true]);
});

Deno.test("a refused field keeps what was typed and stops no other", async () => {
  const { server, record } = modelServer({ name: "Old", phone: "1" });
  await records.load(record);
  await records.save(record, { phone: "\u0007" });
  same(record.drafts.value.phone?.problem?.code, "pattern");
  await records.save(record, { name: "New" });
  same([server.value, record.value.value?.phone], [{ name: "New", phone: "1" }, "\u0007"]);
  await records.save(record, { phone: "2" });
  same([server.value.phone, records.isSaved(record)], ["2", true]);
});
