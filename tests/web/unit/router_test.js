// The router: the parameters of a path.

import { paramsOf } from "../../../src/backbench/web/app/state/router.js";
import { equal } from "./devices.js";

Deno.test("a path gives the parameters of its pattern", () => {
  equal(paramsOf("/estimates/:estimateId/send", "/estimates/a%20b/send"), { estimateId: "a b" });
  equal(paramsOf("/estimates/:estimateId", "/estimates/a/"), { estimateId: "a" });
  equal(paramsOf("/", "/"), {});
});

Deno.test("a path that does not fit gives nothing", () => {
  equal(paramsOf("/estimates/:estimateId", "/estimates"), null);
  equal(paramsOf("/orders/:orderId", "/estimates/a"), null);
});

Deno.test("a malformed path is not an error", () => {
  equal(paramsOf("/orders/:orderId", "/orders/%E0%A4%A"), { orderId: "%E0%A4%A" });
});
