// Browsers: the name of a browser and its system, from what it sends about itself.

// In this order: the later ones name the earlier ones, too.
const BROWSERS = /** @type {const} */ ([
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/.*Safari\//, "Safari"],
]);
const SYSTEMS = /** @type {const} */ ([
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
]);

/** Programs are named by the first word. @param {string} userAgent @returns {{ browser: string, system: string }} */
export function browserOf(userAgent) {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "";
  return { browser: browser ?? /^[\w.-]+/.exec(userAgent)?.[0] ?? "", system: browser ? system : "" };
}

/** @param {string} userAgent */
export const isPhone = (userAgent) => /\b(?:iPhone|Android|Mobile)\b/.test(userAgent);
