// Webhooks: who hears of changes. Only owners see and change them.

import { atField, connectionFrame, problemNotice, quiet, useConfirmed } from "./kit.js";
import { once } from "../../state/commands.js";
import { inWorkshop, isOwner } from "../../state/workshops.js";
import { draftSheet, issuedList, madeOnce, secretField, secretSheet } from "./issued.js";
import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { choice, toggle } from "../../components/controls.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { component, details, div, icon, p, summary } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { useState } from "../../vendor/hooks.js";
import { connectionsWords } from "../../words/connections.js";
import { shopWords } from "../../words/shop.js";
import { Deliveries } from "./deliveries.js";

const text = () => connectionsWords.value.webhooks;

/** @type {import("./issued.js").Issued<Draft, ReturnType<typeof bodyOf>, Api.WebhookWithSecret, Api.Webhook>} */
const WEBHOOK = {
  intent: "webhook",
  text,
  picture: "🪝",
  all: async () => (await call("GET /workshops/{workshopId}/webhooks", inWorkshop())).webhooks,
  row: (webhook) => {
    const { url, description, events, enabled } = webhook;
    const heard = events.includes("*") ? text().all : text().kinds(events.length);
    const facts = [description && hostOf(url), heard, !enabled && text().off].filter(Boolean).join(" · ");
    return {
      icon: enabled ? "send" : "triangle-alert",
      name: description || hostOf(url),
      facts: [facts],
      opened: (onClose, onChanged) => component(WebhookSheet, { webhook, onClose, onChanged }),
    };
  },
  first: () => ({ url: "https://", description: "", events: ["*"] }),
  fields: webhookFields,
  body: bodyOf,
  create: (body, key) => call("POST /workshops/{workshopId}/webhooks", inWorkshop(), { body, key }),
  isAlike: ({ url }, body) => url === body.url,
  remove: (webhookId) => call("DELETE /webhooks/{webhookId}", { webhookId }),
  shown: ({ secret }) => [secretField({ label: text().secret, secret, note: text().secretOnce })],
};

export const screen = () =>
  connectionFrame(
    "webhooks",
    quiet(text().intro),
    isOwner.value ? issuedList(WEBHOOK) : p({}, text().ownersOnly),
  );

// Webhook sheet: what was sent, and everything that can be done with a webhook.

/** @typedef {{ webhook: Api.Webhook, onClose: () => void, onChanged: () => Promise<void> }} Props */

/** @param {Props} props */
function WebhookSheet({ webhook, onClose, onChanged }) {
  const [shown, setShown] = useState(/** @type {"" | "edit" | "replay"} */ (""));
  const [secret, setSecret] = useState("");
  const leave = () => setShown("");
  if (secret) {
    const { secretTitle, secret: label, rotatedOnce: note } = text();
    return secretSheet(secretTitle, () => setSecret(""), secretField({ label, secret, note }));
  }
  if (shown === "edit") return component(EditSheet, { webhook, onClose: leave, onChanged });
  if (shown === "replay") return component(ReplaySheet, { webhook, onClose: leave, onDone: onChanged });
  return sheet(
    { title: webhook.description || hostOf(webhook.url), onClose },
    p({ class: "quiet-text" }, webhook.url),
    needsConnection(),
    component(Switch, { webhook, onChanged, onReplay: () => setShown("replay") }),
    component(Sent, { webhook }),
    div(
      { class: "stack" },
      webhook.enabled &&
        actionButton({
          label: connectionsWords.value.webhooks.replay,
          icon: "history",
          onClick: () => setShown("replay"),
        }),
      actionButton({
        label: connectionsWords.value.webhooks.edit,
        icon: "pencil",
        onClick: () => setShown("edit"),
      }),
    ),
    component(Ends, { webhook, onRotated: setSecret, onDeleted: () => void onChanged().then(onClose) }),
  );
}

/** Off: why, and the two ways on. On: nothing but the switch. @param {{ webhook: Api.Webhook, onChanged: () => Promise<void>, onReplay: () => void }} props */
function Switch({ webhook: { id, enabled, disabledReason = "owner" }, onChanged, onReplay }) {
  const { busy, problem, run } = useCommand();
  const enable = (/** @type {boolean} */ on) => () =>
    void run(() =>
      call("PATCH /webhooks/{webhookId}", { webhookId: id }, { body: { enabled: on } }).then(onChanged)
    );
  if (enabled) {
    return [
      actionButton({ label: text().disable, icon: "x", busy, onClick: enable(false) }),
      problemNotice(problem),
    ];
  }
  return div(
    { class: "stack" },
    notice({ kind: "warning", text: text().disabled[disabledReason] }),
    actionButton({ label: text().enableAgain, kind: "main", onClick: onReplay }),
    actionButton({ label: text().enable, busy, onClick: enable(true) }),
    problemNotice(problem),
  );
}

/** What was sent, and a test. @param {{ webhook: Api.Webhook }} props */
function Sent({ webhook: { id, enabled } }) {
  const [tests, setTests] = useState(0);
  const { busy, problem, run } = useCommand();
  const send = () =>
    once("POST /webhooks/{webhookId}/test", { webhookId: id }).then(
      () => setTests(tests + 1),
    );
  return div(
    { class: "stack" },
    enabled && actionButton({ label: text().test, icon: "send", busy, onClick: () => void run(send) }),
    problemNotice(problem),
    component(Deliveries, { webhookId: id, tests }),
  );
}

/** What cannot be taken back. @param {{ webhook: Api.Webhook, onRotated: (secret: string) => void, onDeleted: () => void }} props */
function Ends({ webhook: { id, url }, onRotated, onDeleted }) {
  const rotate = () =>
    madeOnce(
      ["rotate", id],
      (key) => call("POST /webhooks/{webhookId}/rotate", { webhookId: id }, { key }),
      async () => {},
    );
  const rotation = useConfirmed({
    label: text().rotate,
    about: hostOf(url),
    icon: "key-round",
    work: () => rotate().then(({ secret }) => onRotated(secret)),
  });
  const removal = useConfirmed({
    label: text().remove,
    about: hostOf(url),
    icon: "trash-2",
    work: () => call("DELETE /webhooks/{webhookId}", { webhookId: id }).then(onDeleted),
  });
  return div({ class: "row" }, rotation.button, removal.button);
}

/** @param {Props} props */
const EditSheet = ({ webhook, onClose, onChanged }) =>
  draftSheet({
    title: text().edit,
    done: text().save,
    text: text(),
    first: /** @type {Draft} */ ({ ...webhook, description: webhook.description ?? "" }),
    fields: webhookFields,
    onClose,
    save: async (draft) => {
      await call("PATCH /webhooks/{webhookId}", { webhookId: webhook.id }, { body: bodyOf(draft) });
      await onChanged();
      onClose();
    },
  });

const DAY = 86_400_000;

/** @param {{ webhook: Api.Webhook, onClose: () => void, onDone: () => Promise<void> }} props */
function ReplaySheet({ webhook: { id, enabled }, onClose, onDone }) {
  const [since, setSince] = useState(() => localTime(Date.now() - (enabled ? 1 : 5) * DAY));
  const { busy, problem, run } = useCommand();
  const at = new Date(since);
  const send = () =>
    once("POST /webhooks/{webhookId}/replay", { webhookId: id }, { body: { since: at.toISOString() } });
  const start = () => void run(() => send().then(onDone)).then((done) => done && onClose());
  const foot = actionButton({
    label: text().replayNow,
    kind: "main",
    busy,
    disabled: Number.isNaN(at.getTime()),
    onClick: start,
  });
  return sheet(
    { title: text().replay, onClose, foot, problem: problemNotice(problem) },
    needsConnection(),
    textField({
      label: text().replaySince,
      type: "datetime-local",
      value: since,
      help: text().replayHelp,
      onInput: setSince,
    }),
  );
}

/** As such a field has it. @param {number} moment milliseconds */
function localTime(moment) {
  const shift = new Date(moment).getTimezoneOffset() * 60_000;
  return new Date(moment - shift).toISOString().slice(0, 16);
}

/** The host of an address: the rest of it may be a secret. @param {string} url */
function hostOf(url) {
  // `URL.canParse` is not in Safari 16.
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

/** @typedef {import("../../api/problems.js").Problem} Problem */
/** @typedef {{ url: string, description: string, events: string[] }} Draft */

/** @param {Parameters<import("./issued.js").Issued<Draft, any, any, any>["fields"]>[0]} field @param {Draft} draft @param {(changed: Partial<Draft>) => void} change @param {Problem | null} problem */
function webhookFields(field, draft, change, problem) {
  return [
    field.text("url", {
      type: "url",
      autocomplete: "off",
      maxLength: 2000,
      help: text().urlHelp,
    }),
    field.text("description", { maxLength: 250 }),
    eventChoice({ events: draft.events, onChange: (events) => change({ events }) }),
    atField(problem, "/events") && p({ class: "field-problem", role: "alert" }, text().kindsMissing),
  ];
}

/** The body of a request. Versions before took event types that do not exist. @param {Draft} draft */
function bodyOf({ url, description, events }) {
  const known = events.filter((event) => event === "*" || event in shopWords.value.activity.actions);
  return {
    url: url.trim(),
    description: description.trim(),
    events: /** @type {Api.NewWebhook["events"]} */ (known),
  };
}

/** @typedef {keyof (typeof connectionsWords)["value"]["webhooks"]["groups"]} Group */

/** What an event is about, by the first part of its name. @type {Readonly<Record<Group, readonly string[]>>} */
const ABOUT = {
  orders: ["order", "photo"],
  money: ["payment"],
  estimates: ["estimate", "decision", "pdf", "handoff"],
  customers: ["customer"],
  tiles: ["grid", "file"],
  workshop: ["workshop", "plan", "invitation", "member", "inbox", "webhook"],
};

/** @param {{ events: string[], onChange: (events: string[]) => void }} props */
function eventChoice({ events, onChange }) {
  const isAll = events.includes("*");
  const groups = /** @type {Group[]} */ (Object.keys(ABOUT));
  return div(
    { class: "stack" },
    choice({
      label: text().which,
      value: isAll ? "all" : "chosen",
      options: [{ value: "all", label: text().all }, { value: "chosen", label: text().chosen }],
      onChange: (which) => onChange(which === "all" ? ["*"] : []),
    }),
    !isAll && div({ class: "folds" }, ...groups.map((group) => kinds(group, events, onChange))),
  );
}

/** @param {Group} group @param {string[]} events @param {(events: string[]) => void} onChange */
function kinds(group, events, onChange) {
  const { actions } = shopWords.value.activity;
  const found = Object.entries(actions).filter(([name]) => ABOUT[group].includes(name.split(".")[0] ?? ""));
  const count = found.filter(([name]) => events.includes(name)).length;
  return details(
    { key: group },
    summary({}, icon("chevron-down"), count ? `${text().groups[group]} · ${count}` : text().groups[group]),
    ...found.map(([name, label]) =>
      toggle({
        label,
        value: events.includes(name),
        onChange: (on) => onChange(on ? [...events, name] : events.filter((each) => each !== name)),
      })
    ),
  );
}
