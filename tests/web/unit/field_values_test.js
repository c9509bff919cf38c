import { valueText } from "../../../src/backbench/web/app/components/field-values.js";
import { loadWords } from "../../../src/backbench/web/app/words/words.js";
import { fieldsOf } from "./changed_fields.js";
import { holds, same } from "./expect.js";

/** @typedef {import("../../../src/backbench/web/app/domain/kinds.js").Kind} Kind */

// Values of what is no text, number or choice, by the name of the field.
const LINE = { label: "Oak", unit: "job", quantity: 2, unitPrice: 50, tax: 23 };
const ID = "local-01a22f05-3b1c-7000-8000-000000000001";
const LONG = /** @type {Record<string, any>} */ ({
  assignedTo: ID,
  customBackground: { kind: "gradient", from: "#AABBCC", to: "#CCBBAA", angle: 45 },
  customerId: ID,
  emails: ["ewa@example.org", "ewa@example.com"],
  estimateId: ID,
  iconFileId: ID,
  invoiceNumbers: { invoice: "FV {n}/{year}" },
  lines: [LINE, { ...LINE, tax: "exempt" }],
  logoFileId: ID,
  phones: [{ number: "600 100 200", label: "mobile", e164: "+48600100200" }],
  sections: { [ID]: "Hall" },
  tagline: { en: "Oak", pl: "Dąb" },
  taxLabel: { en: "VAT", pl: "VAT" },
  terms: { en: "None", pl: "Brak" },
});
// Sent as changes of their parts.
const IN_PARTS = ["buttons", "buyer", "item", "lineItems", "lineTaxes"];

/** All values of a choice, or one of another type; none of a text or number. @param {string} field @param {string} type */
function valuesOf(field, type) {
  if (IN_PARTS.includes(field)) return [];
  if (field in LONG) return [LONG[field]];
  if (/(?:On|Date|Until)$/.test(field)) return ["2026-12-24"];
  if (/^boolean/.test(type)) return [true, false];
  return [...type.matchAll(/"(\w+)"/g)].map(([, value]) => value);
}

Deno.test("every value of a field is shown in words, not as the service spells it", async () => {
  const fields = await fieldsOf();
  const structured = fields.filter(([, field, type]) =>
    !IN_PARTS.includes(field) &&
    (/(?<!ax)Id$/.test(field) || !/^(?:string|number|boolean|"[^{]*)(?: \| null)?$/.test(type))
  );
  same(structured.map(([, field]) => field).filter((field) => !(field in LONG)), []);
  let shown = 0;
  for (const language of /** @type {const} */ (["en", "pl"])) {
    await loadWords(language);
    const wrong = fields.flatMap(([kind, field, type]) =>
      valuesOf(field, type).map((value) => {
        const text = valueText({ kind: /** @type {Kind} */ (kind), op: "" }, field, value);
        shown += 1;
        // Codes of countries and currencies, and sizes of paper, are known as such.
        const isRaw = text === String(value) && !/^(?:[A-Z]{2,3}|A4|Letter)$/.test(text);
        return isRaw || !text || /object|undefined|local-|\+48/.test(text) ? `${kind}.${field}: ${text}` : "";
      })
    );
    same(wrong.filter(Boolean), []);
    const ofLine = [8, "exempt"].map((tax) =>
      valueText({ kind: "document", op: "document.editTaxes" }, ID, tax)
    );
    holds(ofLine[0]?.includes("%") && ofLine[1] !== "exempt", `taxes of lines: ${ofLine}`);
  }
  holds(shown > 200, `${shown} values shown`);
});
