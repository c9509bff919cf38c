// Contact picker: takes a person from the contacts of the phone, where the browser has that (Chrome on Android).

/** @typedef {{ name?: string[], tel?: string[], email?: string[] }} Contact */
/** @typedef {{ select: (properties: string[]) => Promise<Contact[]> }} Contacts */

const MOST = 5;

/** @returns {Contacts | undefined} */
function contacts() {
  return /** @type {any} */ (navigator).contacts;
}

export function hasContacts() {
  return typeof contacts()?.select === "function";
}

/** What the chosen contact says; null where none was chosen. @returns {Promise<Api.NewCustomer | null>} */
export async function pickContact() {
  const [found] = await contacts()?.select(["name", "tel", "email"]) ?? [];
  if (!found) return null;
  return {
    name: found.name?.[0]?.trim() ?? "",
    phones: unique(found.tel).map((number) => ({ number })),
    emails: unique(found.email),
  };
}

/** @param {string[]} [texts] */
function unique(texts = []) {
  return [...new Set(texts.map((text) => text.trim()).filter(Boolean))].slice(0, MOST);
}
