import { errors, fields, statuses } from "./errors.js";
import { pluralOf } from "../plurals.js";

/**
 * @param {number} count
 * @param {string} one
 * @param {string} other
 */
const counted = (count, one, other) => `${count} ${pluralOf("en", count, { one, other })}`;

const buttons = {
  add: "Add",
  back: "Back",
  cancel: "Cancel",
  change: "Change",
  choose: "Choose",
  close: "Close",
  confirm: "Confirm",
  copied: "Copied",
  copy: "Copy",
  delete: "Delete",
  done: "Done",
  download: "Download",
  drop: "Discard",
  dropNow: "Discard for good",
  duplicate: "Duplicate",
  edit: "Edit",
  more: "More",
  moveDown: "Move down",
  moveUp: "Move up",
  new: "New",
  no: "No",
  ok: "OK",
  open: "Open",
  reload: "Reload",
  remove: "Remove",
  retry: "Try again",
  save: "Save",
  search: "Search",
  send: "Send",
  share: "Share",
  showMore: "Show more",
  signIn: "Sign in",
  undo: "Undo",
  yes: "Yes",
};

/** `counted`: the unit after 1, 2, 5 and 1.5. */
const units = {
  piece: { short: "pc", counted: "pc|pcs|pcs|pcs", long: "Piece", per: "per piece" },
  pair: { short: "pair", counted: "pair|pairs|pairs|pairs", long: "Pair", per: "per pair" },
  job: { short: "job", counted: "job|jobs|jobs|jobs", long: "Job", per: "per job" },
  hour: { short: "h", counted: "h|h|h|h", long: "Hour", per: "per hour" },
  sqm: { short: "m²", counted: "m²|m²|m²|m²", long: "Square metre", per: "per m²" },
  linear_m: { short: "m", counted: "m|m|m|m", long: "Metre", per: "per metre" },
  freeform: { short: "×", counted: "×|×|×|×", long: "Free quantity", per: "each" },
};

const connection = {
  title: "Connection",
  allSent: "The server has everything.",
  waitingTitle: "Saved on this device",
  notSentYet: "Saved on this device",
  needsConnection: "This needs a connection.",
  insecure: "Without https this page cannot be installed and does not work offline.",
  otherAccount: /** @param {string} name */ (name) => `Changes by ${name} are still waiting on this phone.`,
  otherUnread: /** @param {string} name */ (name) => `Changes by ${name} may still be waiting on this phone.`,
};

/** @param {string} text */
const always = (text) => () => text;

/** What to know of storing and sending: on the sign, and in the sheet. */
const status = {
  notStored: {
    short: always("Not stored"),
    text:
      "This browser does not store your changes: its storage is full or blocked. They are lost if you close the page before they are sent.",
  },
  refused: {
    short: /** @param {number} count */ (count) => counted(count, "change needs you", "changes need you"),
    text: "The server did not accept some changes. Correct them, try again, or discard them.",
  },
  conflict: {
    short: always("Choose a value"),
    text: "Somebody else changed the same. Choose what stays.",
  },
  expired: {
    short: always("Signed out"),
    text: "Your session has ended. What you change stays here, and is sent when you have signed in again.",
  },
  offline: {
    short: /** @param {number} count */ (count) =>
      count ? `No connection · ${count} saved here` : "No connection",
    text: "There is no connection. What you change is kept here, and goes to the server when it is back.",
  },
  serverAway: {
    short: /** @param {number} count */ (count) =>
      count ? `Server away · ${count} saved here` : "Server away",
    text:
      "The server cannot be reached, although there is a network. What you change is kept, and sent when it is back.",
  },
  waiting: {
    short: /** @param {number} count */ (count) => `${count} not on the server yet`,
    text: "Some changes are not on the server yet. They are tried again by themselves.",
  },
  update: {
    short: always("New version"),
    text: "There is a new version of the app. It is taken when you pause, or now.",
  },
};

const conflict = {
  title: "Changed by two people",
  mine: /** @param {string} value */ (value) => `Yours: ${value}`,
  theirs: /** @param {string} who @param {string} value */ (who, value) => `${who}: ${value}`,
  keepMine: "Keep mine",
  takeTheirs: "Take theirs",
  somebody: "Somebody else",
  empty: "(empty)",
};

/** Words that every area uses. */
export const common = {
  language: "English",
  errors,
  fields,
  statuses,
  buttons,
  units,
  connection,
  status,
  conflict,
  places: { board: "Board", estimates: "Estimates", newEstimate: "New", tiles: "Tiles", shop: "Workshop" },
  orderStatus: { todo: "To do", in_progress: "In progress", done: "Done" },
  estimateStages: {
    draft: "Draft",
    confirmed: "Confirmed",
    changed: "Changed since",
    accepted: "Accepted",
    declined: "Declined",
    work: "On the board",
    expired: "No longer valid",
  },
  handoff: {
    "message-copied": "Message copied",
    "message-shared": "Message shared",
    "pdf-shared": "PDF shared",
    "pdf-and-message-shared": "PDF and message shared",
    "email-opened": "Email opened",
  },
  kinds: {
    order: "Order",
    orderDetails: "Order details",
    customer: "Customer",
    orderNotices: "Notice to the customer",
    orderSignature: "Signature",
    orderQuestions: "Answer to the customer",
    orderPayments: "Payment",
    orderBalance: "Agreed price",
    orderPhotos: "Photos",
    estimate: "Estimate",
    grid: "Tiles",
    document: "Document",
    workshop: "Workshop",
    settings: "Documents",
    profile: "Account",
    orderSummary: "Order",
    inbox: "Waiting for you",
  },
  roles: { owner: "Owner", member: "Member" },
  plans: { free: "Free", pro: "Pro" },
  languages: { en: "English", pl: "Polski" },
  money: {
    subtotal: "Subtotal",
    markup: "Markup",
    discount: "Discount",
    net: "Net",
    tax: "VAT",
    total: "Total",
    deposit: "Deposit",
    free: "free of charge",
  },
  numbers: {
    decimal: "Decimal point",
    back: "Delete the last digit",
    twice: "Double",
    price: "Price",
    quantity: "Quantity",
  },
  dates: {
    now: "just now",
    never: "never",
    since: /** @param {string} when */ (when) => `since ${when}`,
    until: /** @param {string} when */ (when) => `until ${when}`,
    validUntil: /** @param {string} when */ (when) => `valid until ${when}`,
  },
  failed: "This screen could not be shown. Nothing that you entered is lost.",
  incomplete: "Part of this screen is missing.",
  loading: "Loading…",
  nothingFound: "Nothing found.",
  search: "Search",
  optional: "optional",
  requestNumber: /** @param {string} id */ (id) => `Number: ${id}`,
  againIn: /** @param {number} seconds */ (seconds) => `Too many attempts. Again in ${duration(seconds)}.`,
  limitReached: /** @param {number} limit */ (limit) =>
    `The limit of ${limit} is reached. Delete something first.`,
  lines: /** @param {number} count */ (count) => counted(count, "line", "lines"),
  orders: /** @param {number} count */ (count) => counted(count, "order", "orders"),
  estimates: /** @param {number} count */ (count) => counted(count, "estimate", "estimates"),
  revisions: /** @param {number} count */ (count) => counted(count, "revision", "revisions"),
  tiles: /** @param {number} count */ (count) => counted(count, "tile", "tiles"),
  changes: /** @param {number} count */ (count) => counted(count, "change", "changes"),
  people: /** @param {number} count */ (count) => counted(count, "person", "people"),
  days: /** @param {number} count */ (count) => counted(count, "day", "days"),
  pages: /** @param {number} count */ (count) => counted(count, "page", "pages"),
};

/** @param {number} seconds */
function duration(seconds) {
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
