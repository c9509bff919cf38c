// The fields that changes can have, from the types of the API.

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

/** The kind, the name and the type of each field that a change can have. */
export async function fieldsOf() {
  const shapes = await Deno.readTextFile("types/shapes.d.ts");
  const ofShape = (/** @type {string} */ shape) => {
    const [, body = ""] = new RegExp(`interface ${shape} {([^]*?)\\n  }`).exec(shapes) ?? [];
    return [...body.matchAll(/^ {4}(\w+)\??: (.*);$/gm)].filter(([, name]) => name !== "id");
  };
  return Object.entries(SHAPES).flatMap(([kind, names]) =>
    names.flatMap(ofShape).map(([, field = "", type = ""]) => /** @type {const} */ ([kind, field, type]))
  );
}
