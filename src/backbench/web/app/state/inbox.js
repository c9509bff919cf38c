// Inbox: what waits for a person in the workshop that is shown, as the server last said it.

import { call } from "../api/client.js";
import { computed, effect, signal, untracked } from "../vendor/signals-core.js";
import { inOrder, isAnswer, listed, owedBy } from "../domain/inbox.js";
import { dueOf } from "./amounts-due.js";
import { connection } from "./connection.js";
import { on } from "./live.js";
import { enqueue, replica } from "./outbox.js";
import { softly } from "./records.js";
import { received } from "./sync/pull.js";
import { clock, unread } from "./tickets.js";
import { factOf, workshopId } from "./workshops.js";

/** @typedef {Api.InboxItem & { workshopId: string }} Item */

/** The items, answers of clients first. What the person is done with is hidden at once. @type {import("../vendor/signals-core.js").ReadonlySignal<Item[]>} */
export const inbox = computed(() =>
  listed(inOrder(
    [...replica.views.inbox.value.values()].filter((item) =>
      item.workshopId === workshopId.value && !isPaid(item) && !isOver(item)
    ),
  ))
);
/** The estimates whose client asked last. @type {import("../vendor/signals-core.js").ReadonlySignal<ReadonlySet<string | undefined>>} */
export const asked = computed(() =>
  new Set(inbox.value.filter(({ kind }) => kind === "question").map(({ estimateId }) => estimateId))
);
/** When the server last answered, in milliseconds, or 0; only of the list that is shown if it is older than the last attempt. */
export const loadedAt = factOf("inboxAt", 0);
/** Whether the last attempt had no answer: the list is an old one. */
export const isOld = signal(false);

/** Whether nobody can answer any more: the estimate is not valid. @param {Item} item */
function isOver({ kind, estimateId = "" }) {
  const { validUntil } = replica.views.estimateSummary.get(estimateId)?.latestRevision ?? {};
  return kind === "unanswered" && validUntil !== undefined && validUntil < clock.value.today;
}

/** Whether what is owed is paid by a payment that waits to be sent. @param {Item} item */
function isPaid(item) {
  const left = dueLeft(item);
  return left !== null && !(Number(left.amount) > 0);
}

/** What is owed, less what waits to be sent; null for other kinds. @param {Item} item */
export function dueLeft(item) {
  const owed = owedBy(item);
  // Payments cover the invoices of an order in the order of issue: the server says of which.
  return owed && (item.kind === "owed" && dueOf(item.orderId ?? "", owed) || owed);
}

/** Reads the inbox anew: some items come and go with the day alone. Without a connection the stored ones stay. */
async function readInbox() {
  const id = workshopId.value;
  if (!id) return;
  await softly(async () => {
    const sequence = replica.sequence();
    const { items } = await call("GET /workshops/{workshopId}/inbox", { workshopId: id });
    const ids = new Set(items.map((item) => item.id));
    const known = [...replica.bases.inbox.peek().values()];
    const gone = known.filter((one) => one.workshopId === id && !ids.has(one.id));
    // What somebody was done with in the meantime does not come back.
    const fresh = items.filter((item) => !replica.touchedSince("inbox", item.id, sequence));
    await replica.commit({
      objects: fresh.map((item) => received(replica, "inbox", item, id)),
      removed: gone.map((one) => ["inbox", one.id]),
    });
  });
}

/** Done with it, for every member. Sent after six seconds; `drop` with the returned key takes it back. @param {Item} item */
export function dismiss({ id, workshopId }) {
  return enqueue("inbox.dismiss", id, workshopId, {});
}

/** The person has seen these. Without a connection nothing is asked: they are marked once it is back. @param {Item[]} items */
export async function markRead(items) {
  const [first] = items;
  if (!first || !connection.value.online) return;
  await softly(async () => {
    await call("POST /workshops/{workshopId}/inbox/read", { workshopId: first.workshopId }, {
      body: { ids: items.map(({ id }) => id) },
    });
    const known = items.filter(({ id }) => replica.base("inbox", id));
    await replica.commit({
      objects: known.map((item) => received(replica, "inbox", { ...item, read: true }, item.workshopId)),
    });
  });
}

/** Starts what lasts as long as the page: the inbox follows the days. */
export function startInbox() {
  on("pulled", () => {
    isOld.value = !navigator.onLine;
    loadedAt.value = Date.now();
  });
  on("missed", () => (isOld.value = true));
  addEventListener("offline", () => (isOld.value = true));
  let day = clock.peek().today;
  effect(() => {
    const { today } = clock.value;
    if (day !== today) untracked(() => void readInbox());
    day = today;
  });
  effect(() => void (unread.value = inbox.value.filter((item) => !item.read && isAnswer(item)).length));
  // Alone: the inbox is read anew with each change that waits, and the call to the browser is slow.
  effect(() => showOnIcon(unread.value));
}

/** The count on the app's icon, where the browser has one. @param {number} count */
function showOnIcon(count) {
  // Refused to a page that is not installed in some browsers: then there is no icon.
  if (count) void navigator.setAppBadge?.(count).catch(() => {});
  else void navigator.clearAppBadge?.().catch(() => {});
}
