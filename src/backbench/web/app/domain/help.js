// Help: which page of it is about a screen. The pages are those of `site/help.py`.

/** The first whose path a screen's begins with; screens that are not here are the first day's. @type {readonly (readonly [string, string])[]} */
const HELP_PAGES = [
  ["/orders", "orders"],
  ["/inbox", "orders"],
  ["/floor", "orders"],
  ["/invoices", "invoices"],
  ["/share", "customers"],
  ["/invoices", "payments"],
  ["/estimates", "estimates"],
  ["/customers", "customers"],
  ["/shop/numbers", "payments"],
  ["/shop/money", "payments"],
  ["/shop/documents", "printing"],
  ["/shop/messages", "client"],
  ["/shop/export", "accountant"],
  ["/shop/connections/imports", "import"],
  ["/shop/connections", "calendar"],
];

/** @param {import("../words/words.js").Language} language @param {string} path of the screen */
export function helpAddress(language, path) {
  const page = path === "/" ? "orders" : HELP_PAGES.find(([start]) => path.startsWith(start))?.[1];
  return `/help/${language}/${page ?? "first-day"}/`;
}
