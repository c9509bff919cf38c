// Overview: what is about to leave: name, sum, state, and what is missing.

import { actionButton } from "../../components/action-button.js";
import { money } from "../../components/money.js";
import { notice } from "../../components/notice.js";
import { div, h2, p, section, span } from "../../components/tags.js";
import { stamp } from "../../components/stamp.js";
import { shortDate } from "../../domain/format.js";
import { words, wordsLanguage } from "../../words/words.js";
import { sendWords } from "../../words/send.js";
import { totals } from "../../state/totals.js";
import { latestNumber } from "./sending.js";

/** @typedef {import("./sending.js").Sending} Sending */

/** @param {{ sending: Sending, shown: Api.Estimate, pages: any }} props `pages`: the pictures of what the client gets */
export function overview({ sending, shown, pages }) {
  const { common } = words.value;
  if (!shown.lineItems.length) return empty(shown);
  const sum = totals(sending.id).value?.total ?? "0";
  const { validUntil } = sending.summary.value?.latestRevision ?? {};
  const isValid = validUntil !== undefined && !sending.isChanged.value;
  const facts = [
    common.lines(shown.lineItems.length),
    isValid && common.dates.validUntil(shortDate(validUntil, wordsLanguage.value)),
  ].filter(Boolean).join(" · ");
  return section(
    { class: "panel send-overview" },
    div(
      {},
      h2({ class: "send-name" }, shown.name),
      p({ class: "quiet-text" }, facts),
      toLines(shown),
    ),
    div(
      { class: "send-sum" },
      span({ class: "spoken" }, common.money.total),
      money({ amount: sum }),
      state(sending),
    ),
    pages,
  );
}

/** @param {Api.Estimate} shown */
function toLines({ id, name }) {
  const { change } = words.value.common.buttons;
  return actionButton({
    label: change,
    about: name,
    icon: "pencil",
    kind: "quiet",
    href: `/estimates/${id}`,
  });
}

/** @param {Api.Estimate} shown */
function empty(shown) {
  const text = sendWords.value;
  const action = { label: text.toLines, href: `/estimates/${shown.id}` };
  return notice({ kind: "warning", text: text.empty, action });
}

/** @param {Sending} sending */
function state(sending) {
  const text = sendWords.value;
  const { common } = words.value;
  const number = latestNumber(sending);
  if (!number) return stamp({ status: "todo", word: common.estimateStages.draft });
  return sending.isChanged.value
    ? stamp({ status: "in_progress", word: text.changedSince(number) })
    : stamp({ status: "done", word: text.confirmed(number) });
}
