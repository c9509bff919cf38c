// Search of the board: its field, loaded after the tickets, and the estimates and customers with the text.

import { linkRow, linkRows } from "../../components/link-row.js";
import { component } from "../../components/tags.js";
import { textField, useSearched } from "../../components/text-field.js";
import { matches } from "../../domain/search.js";
import { customersLike, findCustomers } from "../../state/customers.js";
import { summaries } from "../../state/summaries.js";
import { words } from "../../words/words.js";

const MOST = 3;

/** @param {{ open: boolean, value: string, onInput: (value: string) => void, autofocus?: boolean }} props */
export function part({ open, value, onInput, autofocus = true }) {
  const { common: { search }, board } = words.value;
  if (!open) return null;
  return [
    textField({
      label: search,
      bare: true,
      placeholder: board.search,
      type: "search",
      autofocus,
      value,
      onInput,
    }),
    value.trim() !== "" && component(Others, { query: value.trim() }),
  ];
}

/** What has the text besides orders. @param {{ query: string }} props */
function Others({ query }) {
  useSearched(query, findCustomers);
  const { places } = words.value.common;
  const estimates = summaries.value.filter(({ name, recipientName, number }) =>
    matches(query, name, recipientName, number)
  );
  const rows = [
    ...customersLike(query).slice(0, MOST).map(({ id, name }) =>
      linkRow({ href: `/customers/${id}`, title: name, detail: places.customers, icon: "user" })
    ),
    ...estimates.slice(0, MOST).map(({ estimateId, name, recipientName }) =>
      linkRow({
        href: `/estimates/${estimateId}`,
        title: name,
        detail: [places.estimates, recipientName].filter(Boolean).join(" · "),
        icon: "receipt-text",
      })
    ),
  ];
  return rows.length > 0 && linkRows({}, ...rows);
}
