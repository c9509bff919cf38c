// Inbox on the board: what waits for the person, each with its one next step.

import { actionButton } from "../../components/action-button.js";
import { later } from "../../components/later.js";
import { isDesk } from "../../components/media.js";
import { b, component, div, h2, icon, p, section, span, ul } from "../../components/tags.js";
import { dateTime } from "../../domain/format.js";
import { words, wordsLanguage } from "../../words/words.js";
import { inboxWords } from "../../words/inbox.js";
import { inbox, isOld, loadedAt, loadInbox, markRead } from "../../state/inbox.js";
import { loadSummaries } from "../../state/summaries.js";
import { unread } from "../../state/unread.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { Fragment } from "../../vendor/preact.js";
import { InboxRow } from "./inbox-row.js";

const AnswerSheet = later(() => import("./answer-sheet.js"));
const ReminderSheet = later(() => import("./reminder-sheet.js"));

/** How many are shown at first: the orders come soon on a phone. */
const first = () => isDesk.value ? 6 : 2;
/** What was in sight for so long was read. */
const READING = 3_000;

/** The list, or nothing. */
export function part() {
  const [all, setAll] = useState(false);
  // With the summaries come the sums.
  useEffect(() => void Promise.all([loadInbox(), loadSummaries()]), []);
  const [asked, setAsked] = useState(/** @type {import("../../state/inbox.js").Item | null} */ (null));
  const items = inbox.value;
  const shown = all ? items : items.slice(0, first());
  useReading(shown);
  return component(
    Fragment,
    {},
    items.length > 0 && list(items, shown, setAsked, () => setAll(true)),
    // It stays when its item goes, because the question was answered or the order paid.
    asked &&
      component(asked.kind === "owed" ? ReminderSheet : AnswerSheet, {
        item: asked,
        onClose: () => setAsked(null),
      }),
  );
}

/** @typedef {import("../../state/inbox.js").Item} Item */
/** @param {Item[]} items @param {Item[]} shown @param {(item: Item) => void} onSheet @param {() => void} onAll */
function list(items, shown, onSheet, onAll) {
  const text = inboxWords.value;
  return section(
    { class: "stack inbox", "aria-label": text.title },
    div(
      { class: "inbox-head" },
      h2({}, text.title, " ", b({ class: "figures" }, String(items.length))),
      shown.length < items.length && actionButton({
        label: text.showAll,
        kind: "quiet",
        onClick: onAll,
      }),
    ),
    span(
      { class: "spoken", role: "status" },
      unread.value > 0 ? words.value.board.unread(unread.value) : "",
    ),
    isOld.value && loadedAt.value > 0 && asOf(),
    ul(
      { class: "inbox-rows" },
      ...shown.map((item) => component(InboxRow, { key: item.id, item, onSheet: () => onSheet(item) })),
    ),
  );
}

function asOf() {
  const text = inboxWords.value.asOf(dateTime(loadedAt.value, wordsLanguage.value));
  return p({ class: "row quiet-text" }, icon("wifi-off"), span({}, text));
}

/** Marks what is shown as read, after a while in which the page is seen. @param {import("../../state/inbox.js").Item[]} shown */
function useReading(shown) {
  const fresh = shown.filter(({ read }) => !read);
  useEffect(() => {
    if (!fresh.length) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void markRead(fresh);
    }, READING);
    return () => clearInterval(timer);
  }, [fresh.map(({ id }) => id).join()]);
}
