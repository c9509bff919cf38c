// Offers: what the server says in the page that it can do, and where the host's own pages are.

/** @type {readonly string[] | undefined} */
let known;

function all() {
  const meta = document.querySelector("meta[name=ways-in]");
  return known ??= (meta?.getAttribute("content") ?? "").split(" ");
}

/** @param {"sign-up" | "mail" | "plans" | "google" | "language-model"} name */
export const offers = (name) => all().includes(name);

/** The address of the host's terms or privacy information, "" without one. @param {"terms" | "privacy"} name */
export function hostPage(name) {
  return all().find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}
