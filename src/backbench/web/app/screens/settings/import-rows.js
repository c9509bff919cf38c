// Rows of a file: those that are left out, cells that are, and rows of people who may have a record already.

import { notice } from "../../components/notice.js";
import { ofWorkshop } from "../../components/prices.js";
import { a, li, ul } from "../../components/tags.js";
import { connectionsWords } from "../../words/connections.js";

/** @typedef {keyof (typeof connectionsWords)["value"]["imports"]["fields"]} Field */

const MOST = 20;

/** Of a price, whether it is with tax, too: prices become those of tiles as they are. @param {Field} field */
export function fieldName(field) {
  const name = connectionsWords.value.imports.fields[field];
  return field === "unitPrice" ? ofWorkshop(name) : name;
}

/** @param {Api.Import} proposed */
export function errors({ kind, errors: found, rows, rowsWithErrors }) {
  const text = connectionsWords.value.imports;
  if (found.length === 0) return notice({ kind: "good", text: text.good(rows) });
  if (found[0]?.code === "unmapped") return notice({ kind: "warning", text: text.unmapped[kind] });
  return notice({ kind: "warning", text: text.bad(rowsWithErrors, rows), detail: cells(found) });
}

/** Cells that are left out of rows that are not. @param {Api.Import["notes"]} notes */
export function leftOut(notes) {
  const { notes: text } = connectionsWords.value.imports;
  return notes.length > 0 && notice({ kind: "warning", text, detail: cells(notes) });
}

/** @param {Api.ImportResult["duplicates"]} duplicates */
export function alike(duplicates) {
  const text = connectionsWords.value.imports;
  const lines = duplicates.slice(0, MOST).map(({ row, customerId }) =>
    li({}, a({ href: `/customers/${customerId}` }, text.alikeRow(row)))
  );
  return lines.length > 0 &&
    notice({ kind: "warning", text: text.alike, detail: list(lines, duplicates.length) });
}

/** @param {Api.Import["errors"]} found */
function cells(found) {
  const text = connectionsWords.value.imports;
  const lines = found.slice(0, MOST).map(({ row, field, code }) =>
    li(
      {},
      text.error(
        row,
        fieldName(/** @type {Field} */ (field)),
        text.codes[/** @type {keyof typeof text.codes} */ (code)],
      ),
    )
  );
  return list(lines, found.length);
}

/** @param {ReturnType<typeof li>[]} lines @param {number} all */
function list(lines, all) {
  const more = all - lines.length;
  return ul({}, ...lines, more > 0 && li({}, connectionsWords.value.imports.more(more)));
}
