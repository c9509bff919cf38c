// Settings of this browser: small values by name, for all accounts.

/** The account that this browser is signed in to. */
export const SIGNED_IN = "backbench-signed-in";
/** What the board showed last, and to which account. */
export const FIRST = "backbench-first";
/** What the names of preferences begin with. */
export const PREFERENCE = "backbench-preference-";

/** What could not be stored lasts as long as the page. @type {Map<string, unknown>} */
const unstored = new Map();

/** @template T @param {string} key @param {T} usual @returns {T} */
export function stored(key, usual) {
  if (unstored.has(key)) return /** @type {T} */ (unstored.get(key) ?? usual);
  try {
    const text = localStorage.getItem(key);
    return text === null ? usual : JSON.parse(text);
  } catch {
    // Storage is refused in some private windows; a text of another version is no JSON.
    return usual;
  }
}

/** @param {string} key @param {unknown} value undefined removes */
export function store(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    unstored.delete(key);
  } catch {
    // Refused or full.
    unstored.set(key, value);
  }
}
