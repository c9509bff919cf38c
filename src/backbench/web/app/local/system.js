// System of this device: what only some of them do.

/** Whether the page runs as an installed app. */
export const isInstalled = () => matchMedia("(display-mode: standalone)").matches;

/** Whether only the browser's own menu installs: iPhones and iPads, which say that they are Macs with a touch screen. */
export const isIos = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);
