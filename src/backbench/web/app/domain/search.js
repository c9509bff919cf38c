// Search: compares texts without regard to case and accents, so that "lozko" finds "Łóżko".

/** @param {string} text */
export function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[łŁ]/g, "l").toLowerCase();
}

/**
 * Whether each word of the query is in one of the texts.
 * @param {string} query
 * @param {...(string | undefined)} texts
 */
export function matches(query, ...texts) {
  const inside = folded(texts.filter(Boolean).join("\n"));
  return folded(query).split(/\s+/).filter(Boolean).every((word) => inside.includes(word));
}
