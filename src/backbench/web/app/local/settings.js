// Settings of this browser: small values by name, for all accounts.

/** @template T @param {string} key @param {T} usual @returns {T} */
export function stored(key, usual) {
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
  } catch {
    // Refused or full: the value lasts as long as the page.
  }
}

/** The name of the setting with the account that is signed in in this browser. */
export const ACCOUNT = "backbench-account";
