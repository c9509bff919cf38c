// Waiting for you: estimates that need a step: confirmed again, sent, or asked after.

import { h2, section } from "../../components/tags.js";
import { isDesk } from "../../components/media.js";
import { linkRow, linkRows } from "../../components/link-row.js";
import { ago } from "../../domain/format.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { loadSummaries, waitingForYou } from "../../state/summaries.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { actionButton } from "../../components/action-button.js";

/** How many are shown at first: the orders come first on a phone. */
const first = () => isDesk.value ? 5 : 1;

/** The list, or nothing. */
export function part() {
  const [all, setAll] = useState(false);
  useEffect(() => void loadSummaries().catch(() => {}), []);
  const rows = rowsOf(waitingForYou.value);
  if (rows.length === 0) return null;
  const text = words.value.board;
  return section(
    { class: "stack waiting", "aria-label": text.waitingForYou },
    h2({}, text.waitingForYou),
    linkRows({}, ...(all ? rows : rows.slice(0, first())).map(row)),
    rows.length > first() && !all &&
      actionButton({
        label: `${words.value.common.buttons.showMore} (${rows.length - first()})`,
        kind: "quiet",
        onClick: () => setAll(true),
      }),
  );
}

/** @typedef {{ reason: string, icon: string, summary: any }} Row */

/** @param {typeof waitingForYou.value} lists @returns {Row[]} */
function rowsOf({ accepted, changed, notSent, unanswered }) {
  const text = words.value.board;
  return [
    ...accepted.map((summary) => ({ reason: text.accepted, icon: "circle-check", summary })),
    ...changed.map((summary) => ({ reason: text.changed, icon: "pencil", summary })),
    ...notSent.map((summary) => ({ reason: text.notSent, icon: "send", summary })),
    ...unanswered.map((summary) => ({ reason: text.noAnswer, icon: "phone", summary })),
  ];
}

/** @param {Row} props */
function row({ reason, icon: glyph, summary }) {
  const { estimateId, recipientName, name, updatedAt } = summary;
  const detail = `${reason} · ${
    ago(summary.lastHandoff?.createdAt ?? updatedAt, Date.now(), wordsLanguage.value)
  }`;
  const isToSend = glyph === "send" || glyph === "circle-check";
  const target = isToSend ? `/estimates/${estimateId}/send` : `/estimates/${estimateId}`;
  return linkRow({
    href: target,
    title: recipientName ? `${recipientName}: ${name}` : name,
    detail,
    icon: glyph,
  });
}
