// System of this device: what only some of them do.

/** Whether the page runs as an installed app. */
export const isInstalled = () => matchMedia("(display-mode: standalone)").matches;

/** Whether the page runs as an app on the screen of an iPhone or iPad, which alone say so. */
const isOnIphoneScreen = () => /** @type {{ standalone?: boolean }} */ (navigator).standalone === true;

/**
 * Opens a file of the server beside the app. Within an app on the screen of an iPhone it would replace the app, without a
 * way back: there it is downloaded, which offers to share and to print it.
 * @param {string} href
 */
export function openFile(href) {
  if (!isOnIphoneScreen()) return void open(href, "_blank", "noopener");
  const link = document.createElement("a");
  link.href = href;
  link.download = "";
  link.click();
}

/** The same of a link. */
export const besideApp = () => isOnIphoneScreen() ? { download: "" } : { target: "_blank", rel: "noopener" };

/** Whether only the browser's own menu installs: iPhones and iPads, which say that they are Macs with a touch screen. */
export const isIos = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);

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
