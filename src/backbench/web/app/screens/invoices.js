// Invoices of the workshop: what waits for money first. Each opens the screen of one invoice.

import { address } from "../api/early.js";
import { actionButton } from "../components/action-button.js";
import { notYet, useAnswer } from "../components/answer.js";
import { isOnline, useCommand } from "../components/command.js";
import { choice } from "../components/controls.js";
import { frame } from "../components/frame.js";
import { linkRows } from "../components/link-row.js";
import { emptyState } from "../components/notice.js";
import { component, div, p } from "../components/tags.js";
import { hasMore, invoices, loadInvoices, loadMoreInvoices } from "../state/invoices.js";
import { workshopId } from "../state/workshops.js";
import { signal } from "../vendor/signals.js";
import { invoiceWords } from "../words/invoices.js";
import { wordsLanguage } from "../words/words.js";
import { InvoiceScreen } from "./invoices/invoice.js";
import { invoiceRow } from "./invoices/of-order.js";

/** What was looked for last: coming back from an invoice finds it again. @type {import("../vendor/signals.js").Signal<"all" | "unpaid" | "draft">} */
const wanted = signal("all");

/** @param {{ params: import("../routes.js").Params }} props */
export function screen({ params: { invoiceId = "" } }) {
  if (invoiceId) return component(InvoiceScreen, { id: invoiceId, key: invoiceId });
  return frame({ title: invoiceWords.value.title, place: "shop", back: "/shop" }, component(List, {}));
}

function List() {
  const { said, busy, run } = useCommand();
  const id = workshopId.value;
  const answered = useAnswer(loadInvoices, id);
  const text = invoiceWords.value;
  const all = invoices.value;
  if (!all.length) {
    return answered.data === null || answered.problem ? notYet(answered) : emptyState({ text: text.empty });
  }
  const found = all.filter(({ state, toPay }) =>
    wanted.value === "all" || (wanted.value === "draft" ? state === "draft" : toPay > 0)
  );
  return div(
    { class: "stack" },
    choice({
      label: text.show,
      bare: true,
      value: wanted.value,
      options: (/** @type {const} */ (["all", "unpaid", "draft"])).map((value) => ({
        value,
        label: text.shows[value],
      })),
      onChange: (value) => (wanted.value = value),
    }),
    found.length
      ? linkRows({}, ...found.map((one) => invoiceRow(one)))
      : p({ class: "quiet-text" }, text.none),
    hasMore.value && actionButton({
      label: text.more,
      wide: true,
      busy,
      disabled: !isOnline(),
      onClick: () => void run(loadMoreInvoices),
    }),
    said && p({ class: "field-problem", role: "alert" }, said),
    actionButton({
      label: text.csv,
      icon: "download",
      href: address(`/workshops/${id}/invoices.csv`, { locale: wordsLanguage.value }),
      download: "invoices.csv",
    }),
    // Meanwhile those that are stored are shown.
    answered.problem && notYet(answered),
  );
}
