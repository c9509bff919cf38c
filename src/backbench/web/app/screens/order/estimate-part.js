// The estimate of an order: its price, its lines one tap away, and a plain warning where it is above the limit.

import { actionButton } from "../../components/action-button.js";
import { notice } from "../../components/notice.js";
import { b, details as detailsTag, icon, li, section, span, summary, ul } from "../../components/tags.js";
import { amount, quantity } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { orderWords } from "../../words/orders.js";
import { estimate, openEstimate } from "../../state/estimates.js";
import { totals } from "../../state/totals.js";
import { detailsOf } from "../../state/order-details.js";
import { softly } from "../../state/records.js";
import { go } from "../../state/router.js";
import { currency } from "../../state/workshops.js";
import { useEffect } from "../../vendor/hooks.js";

/** @param {{ order: Api.Order }} props */
export function EstimatePart({ order }) {
  const { estimateId = "", priceLimit, exceedsLimit = false } = detailsOf(order.id);
  useEffect(() => {
    if (estimateId) void softly(() => openEstimate(estimateId));
  }, [estimateId]);
  const text = orderWords.value;
  const shown = (/** @type {string | number} */ value) => amount(value, currency.value, wordsLanguage.value);
  const limit = priceLimit === undefined ? null : text.limitIs(shown(priceLimit));
  if (!estimateId) return limit && section({ class: "panel" }, b({}, limit));
  const found = estimate(estimateId).value;
  const total = totals(estimateId).value?.total;
  const isKnown = total !== undefined && priceLimit !== undefined;
  const isOver = isKnown ? Number(total) > priceLimit : exceedsLimit;
  return section(
    { class: "panel" },
    detailsTag(
      { class: "more" },
      heading(total === undefined ? "" : shown(total)),
      found && lines(found, totals(estimateId).value?.lines ?? []),
      actionButton({ label: text.openEstimate, icon: "receipt-text", href: `/estimates/${estimateId}` }),
    ),
    limit && b({}, limit),
    isOver &&
      warning(estimateId, isKnown ? text.overLimit(shown(total), shown(priceLimit)) : text.overLimitUnknown),
  );
}

/** @param {string} total */
function heading(total) {
  return summary(
    {},
    span({}, orderWords.value.fromEstimate),
    total && b({ class: "figures" }, total),
    icon("chevron-down"),
  );
}

/** @param {string} estimateId @param {string} text */
function warning(estimateId, text) {
  const action = {
    label: orderWords.value.askApproval,
    onClick: () => go(`/estimates/${estimateId}/send`),
  };
  return notice({ kind: "warning", text, action });
}

/** @param {Api.Estimate} found @param {import("../../domain/money.js").LineAmount[]} amounts */
function lines(found, amounts) {
  const language = wordsLanguage.value;
  return ul(
    { class: "order-lines", "aria-label": orderWords.value.lines },
    ...found.lineItems.map((line, at) =>
      li(
        { key: line.id },
        span({}, `${line.quantity === 1 ? "" : `${quantity(line.quantity, language)} × `}${line.label}`),
        span({ class: "figures" }, amount(amounts[at]?.amount ?? "0", currency.value, language)),
      )
    ),
  );
}
