// Paths of screens, and the patterns that they fit.

/** The params of a path, or null where the pattern does not fit. @param {string} pattern @param {string} path */
export function paramsOf(pattern, path) {
  const names = parts(pattern);
  const values = parts(path);
  if (names.length !== values.length) return null;
  /** @type {Record<string, string>} */
  const params = {};
  for (const [at, name] of names.entries()) {
    const value = decoded(values[at] ?? "");
    if (name.startsWith(":")) params[name.slice(1)] = value;
    else if (name !== value) return null;
  }
  return params;
}

/** @param {string} path */
function parts(path) {
  return path.replace(/\/+$/, "").split("/").slice(1);
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
