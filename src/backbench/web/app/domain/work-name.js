// The name of the work in an estimate, which an order takes over.

/** What a document may be called, by language. */
export const TITLES = {
  en: { estimate: "Estimate", quotation: "Quotation", cost_estimate: "Cost estimate" },
  pl: { estimate: "Wycena", quotation: "Oferta", cost_estimate: "Kosztorys" },
};
/** Characters of a name. */
const LONGEST = 250;
const ANY_TITLE = Object.values(TITLES).flatMap((titles) => Object.values(titles)).join("|");
const GIVEN = new RegExp(`^(?:${ANY_TITLE}) \\d{1,2} \\p{L}{3,5}(?: \\(\\d+\\))?$`, "u");

/**
 * What the work is called: the name of the estimate, or its first line where the app gave the name.
 * @param {string} name
 * @param {readonly { label: string }[]} lines
 */
export function workName(name, lines) {
  const [first, ...others] = lines;
  if (!first || !GIVEN.test(name)) return name;
  const suffix = others.length ? ` +${others.length}` : "";
  return [...first.label].slice(0, LONGEST - suffix.length).join("") + suffix;
}
