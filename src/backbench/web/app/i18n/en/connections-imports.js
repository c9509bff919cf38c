import { pluralOf } from "../plurals.js";

/** @param {number} count */
const rows = (count) => `${count} ${pluralOf("en", count, { one: "row", other: "rows" })}`;

/** Words of the import, as of a connection. */
export const imports = {
  intro:
    "A spreadsheet (XLSX), a CSV file, or contacts from a phone (vCard). You see what becomes of it before anything is saved.",
  what: "What is in the file?",
  kinds: { customers: "Customers", orders: "Orders", tiles: "Prices" },
  choose: "Choose a file",
  another: "Another file",
  limits: "At most 10 MB and 50,000 rows.",
  earlier: "Imported before",
  files: {
    damaged: "The file is damaged.",
    encrypted: "The spreadsheet has a password. Save it without one.",
    empty: "There are no rows in the file.",
    not_customers: "Contacts can be imported as customers only.",
    not_text: "This is no CSV, XLSX or vCard file. In the other program, save the list as CSV or XLSX.",
    too_large: "The file is too large to be read.",
    too_long: "A cell of the file has more than 10,000 characters.",
    too_many_columns: "The file has more than 100 columns.",
    old_workbook:
      "This is a workbook of Excel before 2007, or it has a password. Save it as XLSX without a password.",
    too_many_rows: "The file has more than 50,000 rows. Divide it into several.",
  },
  mapping: "What is in each column?",
  mappingHelp: "It is remembered for the next file with the same headings.",
  ignored: "Leave out",
  unmapped: {
    customers: "Choose the column with the name.",
    orders: "Choose the column that says what the job is.",
    tiles: "Choose the column with the name of the item.",
  },
  fields: {
    address: "Street or address",
    city: "Town",
    company: "Company",
    createdAt: "Date of the order",
    customerName: "Customer",
    dueOn: "Due day",
    dueTime: "Due time",
    email: "Email",
    email2: "Email, second",
    email3: "Email, third",
    emoji: "Emoji",
    firstName: "First name",
    item: "Thing",
    kind: "Person or company",
    label: "Item",
    lastName: "Last name",
    locale: "Language",
    name: "Name",
    notes: "Notes",
    phone: "Phone",
    phone2: "Phone, second",
    phone3: "Phone, third",
    pieces: "Pieces",
    place: "Shelf",
    postalCode: "Postcode",
    priceLimit: "Not more than",
    serial: "Serial number",
    siteAddress: "Place of work",
    status: "Status",
    taxId: "Tax id",
    title: "What is to be done",
    unit: "Unit",
    unitPrice: "Price",
  },
  codes: {
    missing: "is empty, and needed",
    not_a_date: "is no date, such as 23/11/2026",
    not_a_number: "is no number",
    not_a_time: "is no time, such as 16:30",
    not_an_email: "is no email address",
    out_of_range: "is too small or too large",
    too_long: "is too long",
    unknown_kind: "is neither a person nor a company",
    unknown_status: "is none of: to do, in progress, done, collected",
    unmapped: "has no column",
  },
  /** @param {number} count */
  rows,
  /** @param {number} count */
  good: (count) => `All ${rows(count)} can be imported.`,
  /** @param {number} bad @param {number} all */
  bad: (bad, all) => `${bad} of ${rows(all)} cannot be imported and will be left out:`,
  /** @param {number} row @param {string} field @param {string} what */
  error: (row, field, what) => `Row ${row}: “${field}” ${what}.`,
  /** @param {number} count */
  more: (count) => `and ${count} more`,
  /** @param {number} count */
  run: (count) => `Import ${rows(count)}`,
  running: "Importing. This may take half a minute.",
  /** @param {number} created @param {number} updated @param {number} skipped */
  result: (created, updated, skipped) =>
    [
      `${created} new`,
      updated > 0 && `${updated} existed already`,
      skipped > 0 && `${skipped} left out`,
    ].filter(Boolean).join(" · "),
  done: "Imported",
  undo: "Undo the import",
  undoUntil: (/** @type {string} */ day) => `It can be undone until ${day}.`,
  undone: "Undone",
  /** @param {number} count */
  removed: (count) => count === 0 ? "Nothing was deleted." : `Deleted: ${count}.`,
  kept: "These stay:",
  reasons: { changed: "changed since", existed: "existed before the import", in_use: "in use" },
  problems: {
    already_run: "This file has been imported already.",
    expired: "The file was kept for a day. Choose it once more.",
    changed: "Somebody else changed this at the same moment. Try again.",
    already_undone: "This import has been undone already.",
    grids: "The prices do not fit: a workshop has at most 10 grids of 200 tiles.",
  },
};
