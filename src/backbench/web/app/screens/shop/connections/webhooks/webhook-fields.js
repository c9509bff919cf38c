// Fields of a webhook: where to, of what, what for.

import { textField } from "../../../../components/text-field.js";
import { p } from "../../../../components/tags.js";
import { connectionsWords } from "../../../../words/connections.js";
import { shopWords } from "../../../../words/shop.js";
import { atField } from "../../common/problem-notice.js";
import { eventChoice } from "./event-choice.js";

/** @typedef {import("../../../../api/problems.js").Problem} Problem */
/** @typedef {{ url: string, description: string, events: string[] }} Draft */

/** @param {Draft} draft @param {(changed: Partial<Draft>) => void} change @param {Problem | null} problem */
export function webhookFields(draft, change, problem) {
  const text = connectionsWords.value.webhooks;
  const atUrl = atField(problem, "/url");
  const atEvents = atField(problem, "/events");
  return [
    textField({
      label: text.url,
      type: "url",
      value: draft.url,
      autocomplete: "off",
      maxLength: 2000,
      help: text.urlHelp,
      onInput: (url) => change({ url }),
      ...(atUrl ? { problem: atUrl } : {}),
    }),
    textField({
      label: text.description,
      value: draft.description,
      maxLength: 250,
      onInput: (description) => change({ description }),
    }),
    eventChoice({ events: draft.events, onChange: (events) => change({ events }) }),
    atEvents && p({ class: "field-problem", role: "alert" }, text.kindsMissing),
  ];
}

/** The body of a request. Versions before took event types that do not exist. @param {Draft} draft */
export const bodyOf = ({ url, description, events }) => ({
  url: url.trim(),
  description: description.trim(),
  events:
    /** @type {Api.NewWebhook["events"]} */ (events.filter((event) =>
      event === "*" || event in shopWords.value.activity.actions
    )),
});
