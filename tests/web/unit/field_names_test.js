import { fieldName } from "../../../src/backbench/web/app/words/field-names.js";
import { loadWords } from "../../../src/backbench/web/app/words/words.js";
import { holds, same } from "./expect.js";

// What changes of each kind of object can have.
const SHAPES = {
  order: ["OrderEdit"],
  orderDetails: ["OrderDetailsEdit", "OrderItem"],
  estimate: ["EstimateEdit", "LineItemEdit"],
  document: ["DocumentFacts"],
  settings: ["DocumentSettings"],
  customer: ["CustomerEdit"],
  grid: ["GridEdit", "GridButton"],
  profile: ["ProfileEdit"],
  workshop: ["WorkshopEdit"],
  photo: ["PhotoEdit"],
  invoice: ["InvoiceEdit"],
};

Deno.test("the list of waiting changes has a name for every field that can be changed", async () => {
  const shapes = await Deno.readTextFile("types/shapes.d.ts");
  const fieldsOf = (/** @type {string} */ shape) => {
    const [, body = ""] = new RegExp(`interface ${shape} {([^]*?)\\n  }`).exec(shapes) ?? [];
    return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map((found) => found[1] ?? "").filter((name) =>
      name !== "id"
    );
  };
  for (const language of /** @type {const} */ (["en", "pl"])) {
    await loadWords(language);
    const all = Object.entries(SHAPES).flatMap(([kind, names]) =>
      names.flatMap(fieldsOf).map((field) => /** @type {const} */ ([kind, field]))
    );
    holds(all.length > 90, `${all.length} fields found`);
    same(all.filter(([kind, field]) => !fieldName(kind, field)), []);
  }
});
