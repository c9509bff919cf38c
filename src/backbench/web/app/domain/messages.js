// Messages: the text of a message without the address of its link, for an email that has a button for it.

/** The sentence before an address of its own line says that it follows, and goes with it. @param {string} text @param {string | undefined} address */
export function withoutAddress(text, address) {
  if (!address) return text.trim();
  /** @type {string[]} */
  const kept = [];
  for (const line of text.split("\n")) {
    if (line.trim() !== address) kept.push(line.replaceAll(address, "").replace(/ {2,}/g, " ").trimEnd());
    else if (kept.at(-1)?.endsWith(":")) kept.pop();
  }
  return kept.join("\n").replace(/\n{3,}/g, "\n\n").trim();
}
