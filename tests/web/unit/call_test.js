import { call, request } from "../../../src/backbench/web/app/api/client.js";
import { same } from "./expect.js";

/** @type {{target: string, method: string | undefined, body: unknown}[]} */
const sent = [];

/** @param {() => Promise<void>} test */
async function answered(test) {
  const { fetch } = globalThis;
  globalThis.fetch = (target, init) => {
    sent.push({ target: String(target), method: init?.method, body: init?.body });
    const headers = { "X-Request-Id": "1", ETag: 'W/"7"', "Content-Type": "application/json" };
    return Promise.resolve(new Response('{"customers": []}', { headers }));
  };
  try {
    await test();
  } finally {
    globalThis.fetch = fetch;
  }
}

Deno.test("an operation is called with its parameters of the path and of the query", () =>
  answered(async () => {
    const given = { workshopId: "w1", q: "Ada & co", limit: 5, cursor: undefined };
    const options = { isPublic: true };
    same(await call("GET /workshops/{workshopId}/customers", given, options), { customers: [] });
    const path = { estimateId: "e1", revisionNumber: 2 };
    const { etag } = await request("GET /estimates/{estimateId}/revisions/{revisionNumber}", path, options);
    same(etag, '"7"');
    await call("POST /customers/{customerId}/merge", { customerId: "c1" }, {
      body: { fromId: "c2" },
      ...options,
    });
    same(sent, [
      { target: "/api/workshops/w1/customers?q=Ada+%26+co&limit=5", method: "GET", body: undefined },
      { target: "/api/estimates/e1/revisions/2", method: "GET", body: undefined },
      { target: "/api/customers/c1/merge", method: "POST", body: '{"fromId":"c2"}' },
    ]);
  }));

/** What is no operation, lacks a parameter or has another body is an error of types: never called. */
export const mistakes = [
  // @ts-expect-error no such operation
  () => call("GET /nothing"),
  // @ts-expect-error the parameter of the path is missing
  () => call("GET /estimates/{estimateId}"),
  // @ts-expect-error the body has another member
  () => call("POST /customers/{customerId}/merge", { customerId: "c1" }, { body: { intoId: "c2" } }),
];
