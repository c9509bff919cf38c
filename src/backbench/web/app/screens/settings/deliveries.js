// Deliveries of a webhook: what was sent, whether it arrived, and sending it again.

import { once } from "../../state/commands.js";
import { notYet, useAnswer } from "../../components/answer.js";
import { problemNotice, rowOf, rowsOf } from "./kit.js";
import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { component, h3, p, section } from "../../components/tags.js";
import { dateTime } from "../../domain/format.js";
import { connectionsWords } from "../../words/connections.js";
import { wordsLanguage } from "../../words/words.js";
import { shopWords } from "../../words/shop.js";
import { useEffect } from "../../vendor/hooks.js";

const ICONS = { pending: "clock", delivered: "check", failed: "triangle-alert" };
// Between looks, while something is being sent or soon will be. What is being sent has its next attempt in a minute, should
// this one not end.
const PAUSE = 2000;
const LONGEST_PAUSE = 5000;
const SOON = 65_000;

/** `tests`: how many messages were sent from here; one more asks again. @param {{ webhookId: string, tests: number }} props */
export function Deliveries({ webhookId, tests }) {
  const answered = useAnswer(
    () => call("GET /webhooks/{webhookId}/deliveries", { webhookId }),
    `${webhookId} ${tests}`,
  );
  const text = connectionsWords.value.webhooks;
  const { data } = answered;
  useEffect(() => {
    const wait = untilNext(data?.deliveries ?? []);
    if (wait === null) return;
    const timer = setTimeout(() => void answered.reload(), wait);
    return () => clearTimeout(timer);
  }, [data]);
  return section(
    { class: "stack" },
    h3({}, text.deliveries),
    notYet(answered),
    data?.deliveries.length === 0 && p({ class: "quiet-text" }, text.noDeliveries),
    data && rowsOf(
      data.deliveries.map((delivery) =>
        component(DeliveryRow, { delivery, key: delivery.id, onSent: () => void answered.reload() })
      ),
    ),
  );
}

/** Milliseconds until something will have been sent; null where nothing will soon. @param {Api.Delivery[]} deliveries */
function untilNext(deliveries) {
  const waits = deliveries.filter(({ status }) => status === "pending")
    .map(({ nextAttemptAt }) => nextAttemptAt ? Date.parse(nextAttemptAt) - Date.now() : 0)
    .filter((wait) => wait < SOON);
  return waits.length ? Math.min(LONGEST_PAUSE, PAUSE + Math.max(0, Math.min(...waits))) : null;
}

/** @param {{ delivery: Api.Delivery, onSent: () => void, key?: string }} props */
function DeliveryRow({ delivery, onSent }) {
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.webhooks;
  const { id, status } = delivery;
  const name = nameOf(delivery);
  const again = () => once("POST /deliveries/{deliveryId}/resend", { deliveryId: id }).then(onSent);
  return rowOf(
    ICONS[status],
    name,
    [factsOf(delivery)],
    status !== "pending" || delivery.attempts > 0
      ? actionButton({
        label: text.resend,
        about: name,
        icon: "refresh-cw",
        iconOnly: true,
        kind: "quiet",
        busy,
        onClick: () => void run(again),
      })
      : null,
    problemNotice(problem),
  );
}

/** The event as people call it. @param {Api.Delivery} delivery */
function nameOf({ event }) {
  if (event === "webhook.test") return connectionsWords.value.webhooks.testName;
  /** @type {Readonly<Record<string, string>>} */
  const actions = shopWords.value.activity.actions;
  return actions[event] ?? event;
}

/** @param {Api.Delivery} delivery */
function factsOf({ id, status, attempts, responseStatus, nextAttemptAt }) {
  const text = connectionsWords.value.webhooks;
  const language = wordsLanguage.value;
  const response = responseStatus === undefined ? text.noResponse : text.response(responseStatus);
  return [
    text.statuses[status],
    attempts > 0 && status !== "delivered" && response,
    attempts > 1 && text.attempts(attempts),
    attempts > 0 && nextAttemptAt
      ? text.next(dateTime(nextAttemptAt, language))
      : dateTime(timeOf(id), language),
  ].filter(Boolean).join(" · ");
}

/** When the thing with this id was made, to the millisecond. @param {string} id a UUIDv7 */
const timeOf = (id) => new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
