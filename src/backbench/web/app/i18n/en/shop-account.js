import { scopeAreas, scopeGroups, scopeNames } from "./shop-scopes.js";

export const account = {
  title: "Account",
  name: "Your name",
  nameHelp: "Your team sees it.",
  email: "Email address",
  emailHelp: "You sign in with it.",
  mailLanguage: "Language of emails and templates",
  password: "Password",
  changePassword: "Change password",
  currentPassword: "Current password",
  newPassword: "New password",
  newPasswordHelp: "At least 8 characters. A short sentence is easy to remember.",
  passwordChanged: "Password changed. All other devices are signed out.",
  noPassword: "You sign in with Google. To get a password, ask whoever runs this server for a link.",
  google: "Google",
  googleLinked: "You can sign in with Google.",
  unlink: "Stop signing in with Google",
  remove: "Delete account",
  removeIntro: "Permanently, with everything only you own.",
  removeText: "Your name, your sessions and API keys are deleted now. This cannot be undone.",
  /** @param {string} names */
  removeWorkshops: (names) => `Deleted with it, with all orders and estimates: ${names}.`,
  /** @param {string} names */
  removeStays: (names) => `Your teams keep: ${names}.`,
  exportFirst: "Take your data first",
  removeNow: "Delete my account",
};

export const devices = {
  title: "Devices",
  intro: "Everywhere you are signed in. End any that you don’t recognise.",
  current: "This device",
  /** @param {string} when */
  lastSeen: (when) => `last seen ${when}`,
  /** @param {string} when */
  since: (when) => `since ${when}`,
  /** @param {string} browser @param {string} system */
  on: (browser, system) => `${browser} on ${system}`,
  unknown: "Unknown browser",
  end: "Sign out",
  endOthers: "Sign out everywhere else",
  ended: "Signed out",
};

export const keys = {
  title: "API keys",
  intro: "A key lets a program work for you, such as a website, an accounting program or the wall display.",
  empty: "No keys yet.",
  make: "New key",
  name: "What is it for?",
  scopes: "It may",
  scopeNames,
  scopeGroups,
  scopeAreas,
  /** @param {string} areas */
  together: (areas) => `Together, they also open: ${areas}.`,
  scopesMissing: "Choose at least one.",
  workshop: "In which workshop",
  everyWorkshop: "In all my workshops",
  expiry: "Valid",
  expiries: { month: "30 days", year: "1 year", never: "Never expires" },
  create: "Make the key",
  secretTitle: "Your new key",
  secretOnce: "Copy it now. It is shown this once and cannot be shown again.",
  secret: "Key",
  /** @param {string} when */
  expires: (when) => `until ${when}`,
  /** @param {string} when */
  used: (when) => `used ${when}`,
  unused: "not used yet",
  revoke: "Revoke",
  /** @param {string} name */
  revoked: (name) => `${name} revoked`,
  revokedKeys: "Revoked",
  expired: "expired",
};

export const exports = {
  title: "Take your data",
  intro: "All that your account holds, yours to keep or to take elsewhere.",
  archive: "Everything, as ZIP",
  help: {
    archive: "Orders, estimates, settings, PDFs and pictures under readable names.",
    json: "For programs: without PDFs and pictures.",
  },
  json: "Data alone, as JSON",
  /** @param {string} changes */
  waiting: (changes) => `Not sent yet: ${changes}. They will not be in the file.`,
  sendFirst: "Send them now",
  complete: "All that you entered on this phone has reached the server.",
  /** @param {string} size */
  done: (size) => `The file is there: ${size}.`,
  working: "Packing…",
};
