// Mutations of objects that are edited field by field: document facts, workshop, document settings, profile.

import { KINDS } from "../../domain/kinds.js";
import { joinCreation } from "./customer-mutations.js";
import { joinFields } from "./joins.js";
import { withFields } from "./parts.js";

/** @typedef {import("./mutations.js").Mutation} Mutation */
/** @typedef {import("../../domain/kinds.js").Kind} Kind */

/** @type {Record<string, Mutation>} */
export const fieldMutations = {
  "workshop.edit": edit("workshop", "fields"),
  "workshop.editNotes": {
    ...edit("workshop", "notes"),
    apply: (workshop, { fields }) => ({ ...workshop, context: { ...workshop.context, ...fields } }),
    request: ({ objectId, args }) => ({
      method: "PUT",
      path: `/workshops/${objectId}/context`,
      body: args.fields,
    }),
    target: ({ context }) => context ?? { notes: "" },
    taken: (context, workshop) => ({ ...workshop, context }),
  },
  "settings.edit": replace("settings", "settings"),
  "document.edit": { ...replace("document", "document"), references: ["customerId"] },
  // By the ids of lines: two people can set the taxes of two lines.
  "document.editTaxes": {
    ...replace("document", "taxes"),
    apply: (facts, { fields }) => {
      const lineTaxes = withFields(facts.lineTaxes ?? {}, fields);
      return withFields(facts, { lineTaxes: Object.keys(lineTaxes).length ? lineTaxes : null });
    },
    target: ({ lineTaxes }) => lineTaxes ?? {},
  },
  "profile.edit": edit("profile", "fields"),
  "customer.edit": {
    ...edit("customer", "fields"),
    join: (earlier, later) =>
      earlier.op === later.op ? joinFields(earlier, later) : joinCreation(earlier, later),
  },
};

/** PATCH of the fields. @param {Kind} kind @param {string} part @returns {Mutation} */
function edit(kind, part) {
  return {
    way: "fields",
    apply: (object, { fields }) => withFields(object, fields),
    request: ({ objectId, args }) => ({
      method: "PATCH",
      path: KINDS[kind].path(objectId),
      body: args.fields,
    }),
    part: () => part,
    target: (object) => object,
    join: (earlier, later) => earlier.op === later.op ? joinFields(earlier, later) : undefined,
  };
}

/** PUT of the whole, with the fields changed in what the server has. @param {Kind} kind @param {string} part @returns {Mutation} */
function replace(kind, part) {
  return {
    ...edit(kind, part),
    body: (changed) => changed,
    request: ({ objectId }) => ({ method: "PUT", path: KINDS[kind].path(objectId) }),
  };
}
