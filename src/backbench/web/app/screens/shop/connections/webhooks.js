// Webhooks: who hears of changes. Only owners see and change them.

import { call } from "../../../api/client.js";
import { actionButton } from "../../../components/action-button.js";
import { choice, toggle } from "../../../components/choice.js";
import { needsConnection, useCommand } from "../../../components/command.js";
import { emptyState, notice } from "../../../components/notice.js";
import { sheet } from "../../../components/sheet.js";
import { b, component, details, div, icon, p, summary } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { command } from "../../../state/commands.js";
import { isOwner, workshopId } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { connectionsWords } from "../../../words/connections.js";
import { shopWords } from "../../../words/shop.js";
import {
  atField,
  draftSheet,
  madeOnce,
  newest,
  notYet,
  problemNotice,
  secretField,
  secretSheet,
  useAnswer,
  useConfirmed,
  useIssued,
} from "../common/use-answer.js";
import { connectionFrame } from "./head.js";
import { Deliveries } from "./webhooks/deliveries.js";

export function screen() {
  const text = connectionsWords.value.webhooks;
  return connectionFrame(
    "webhooks",
    p({ class: "quiet-text" }, text.intro),
    isOwner.value ? component(Webhooks, {}) : p({}, text.ownersOnly),
  );
}

function Webhooks() {
  const answered = useAnswer(
    () => call("GET /workshops/{workshopId}/webhooks", { workshopId: workshopId.value }),
    workshopId.value,
  );
  const [isNew, setIsNew] = useState(false);
  const [openId, setOpenId] = useState("");
  const text = connectionsWords.value.webhooks;
  const webhooks = answered.data?.webhooks ?? [];
  const open = webhooks.find(({ id }) => id === openId);
  const reload = () => answered.reload();
  return div(
    { class: "stack" },
    notYet(answered),
    answered.data && webhooks.length === 0 && emptyState({ text: text.empty, picture: "🪝" }),
    webhooks.length > 0 &&
      div(
        { class: "things" },
        ...webhooks.map((webhook) => webhookRow(webhook, () => setOpenId(webhook.id))),
      ),
    actionButton({ label: text.make, icon: "plus", kind: "main", onClick: () => setIsNew(true) }),
    isNew && component(NewWebhookSheet, { onClose: () => setIsNew(false), onMade: reload }),
    open && component(WebhookSheet, { webhook: open, onClose: () => setOpenId(""), onChanged: reload }),
  );
}

/** @param {{ onClose: () => void, onMade: () => Promise<void> }} props */
function NewWebhookSheet({ onClose, onMade }) {
  const issued = useIssued(
    () => /** @type {Draft} */ ({ url: "https://", description: "", events: ["*"] }),
    (draft) => issue(workshopId.value, bodyOf(draft)),
    onMade,
  );
  const text = connectionsWords.value.webhooks;
  const { draft, change, secret, problem } = issued;
  if (!secret) return draftSheet(text, onClose, issued, webhookFields(draft, change, problem));
  return webhookSecret(secret, text.secretOnce, onClose);
}

/** @param {string} id @param {ReturnType<typeof bodyOf>} body @returns {Promise<string>} its secret */
async function issue(id, body) {
  const deleteLost = async () => {
    const lost = newest(
      (await call("GET /workshops/{workshopId}/webhooks", { workshopId: id })).webhooks,
      ({ url }) => url === body.url,
    );
    if (lost) await call("DELETE /webhooks/{webhookId}", { webhookId: lost.id });
  };
  return (await madeOnce(
    ["webhook", id, body],
    (key) => call("POST /workshops/{workshopId}/webhooks", { workshopId: id }, { body, key }),
    deleteLost,
  ))
    .secret;
}

// Webhook sheet: what was sent, and everything that can be done with a webhook.

/** @typedef {{ webhook: Api.Webhook, onClose: () => void, onChanged: () => Promise<void> }} Props */

/** @param {Props} props */
function WebhookSheet({ webhook, onClose, onChanged }) {
  const [shown, setShown] = useState(/** @type {"" | "edit" | "replay"} */ (""));
  const [secret, setSecret] = useState("");
  const leave = () => setShown("");
  if (secret) return webhookSecret(secret, connectionsWords.value.webhooks.rotatedOnce, () => setSecret(""));
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
  const text = connectionsWords.value.webhooks;
  const enable = (/** @type {boolean} */ on) => () =>
    void run(() =>
      call("PATCH /webhooks/{webhookId}", { webhookId: id }, { body: { enabled: on } }).then(onChanged)
    );
  if (enabled) {
    return [
      actionButton({ label: text.disable, icon: "x", busy, onClick: enable(false) }),
      problemNotice(problem),
    ];
  }
  return div(
    { class: "stack" },
    notice({ kind: "warning", text: text.disabled[disabledReason] }),
    actionButton({ label: text.enableAgain, kind: "main", onClick: onReplay }),
    actionButton({ label: text.enable, busy, onClick: enable(true) }),
    problemNotice(problem),
  );
}

/** What was sent, and a test. @param {{ webhook: Api.Webhook }} props */
function Sent({ webhook: { id, enabled } }) {
  const [tests, setTests] = useState(0);
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.webhooks;
  const send = () =>
    command(["test", id], (key) => call("POST /webhooks/{webhookId}/test", { webhookId: id }, { key })).then(
      () => setTests(tests + 1),
    );
  return div(
    { class: "stack" },
    enabled && actionButton({ label: text.test, icon: "send", busy, onClick: () => void run(send) }),
    problemNotice(problem),
    component(Deliveries, { webhookId: id, tests }),
  );
}

/** What cannot be taken back. @param {{ webhook: Api.Webhook, onRotated: (secret: string) => void, onDeleted: () => void }} props */
function Ends({ webhook: { id, url }, onRotated, onDeleted }) {
  const text = connectionsWords.value.webhooks;
  const rotate = () =>
    madeOnce(
      ["rotate", id],
      (key) => call("POST /webhooks/{webhookId}/rotate", { webhookId: id }, { key }),
      async () => {},
    );
  const rotation = useConfirmed({
    label: text.rotate,
    about: hostOf(url),
    icon: "key-round",
    work: () => rotate().then(({ secret }) => onRotated(secret)),
  });
  const removal = useConfirmed({
    label: text.remove,
    about: hostOf(url),
    icon: "trash-2",
    work: () => call("DELETE /webhooks/{webhookId}", { webhookId: id }).then(onDeleted),
  });
  return div({ class: "row" }, rotation.button, removal.button);
}

/** @param {Props} props */
function EditSheet({ webhook, onClose, onChanged }) {
  const [draft, setDraft] = useState({ ...webhook, description: webhook.description ?? "" });
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.webhooks;
  const save = () =>
    void run(() =>
      call("PATCH /webhooks/{webhookId}", { webhookId: webhook.id }, { body: bodyOf(draft) }).then(onChanged)
    ).then((done) => done && onClose());
  const change = (/** @type {Partial<typeof draft>} */ changed) =>
    setDraft((known) => ({ ...known, ...changed }));
  const edit = { make: text.edit, create: text.save };
  return draftSheet(edit, onClose, { busy, problem, make: save }, webhookFields(draft, change, problem));
}

const DAY = 86_400_000;

/** @param {{ webhook: Api.Webhook, onClose: () => void, onDone: () => Promise<void> }} props */
function ReplaySheet({ webhook: { id, enabled }, onClose, onDone }) {
  const [since, setSince] = useState(() => localTime(Date.now() - (enabled ? 1 : 5) * DAY));
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.webhooks;
  const at = new Date(since);
  const send = () =>
    command(
      ["replay", id, since],
      (key) =>
        call("POST /webhooks/{webhookId}/replay", { webhookId: id }, {
          body: { since: at.toISOString() },
          key,
        }),
    );
  const start = () => void run(() => send().then(onDone)).then((done) => done && onClose());
  const foot = actionButton({
    label: text.replayNow,
    kind: "main",
    busy,
    disabled: Number.isNaN(at.getTime()),
    onClick: start,
  });
  return sheet(
    { title: text.replay, onClose, foot, problem: problemNotice(problem) },
    needsConnection(),
    textField({
      label: text.replaySince,
      type: "datetime-local",
      value: since,
      help: text.replayHelp,
      onInput: setSince,
    }),
  );
}

/** As such a field has it. @param {number} moment milliseconds */
function localTime(moment) {
  const shift = new Date(moment).getTimezoneOffset() * 60_000;
  return new Date(moment - shift).toISOString().slice(0, 16);
}

/** @param {string} secret @param {string} note @param {() => void} onClose */
function webhookSecret(secret, note, onClose) {
  const text = connectionsWords.value.webhooks;
  return secretSheet(text.secretTitle, onClose, secretField({ label: text.secret, secret, note }));
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

/** @param {Api.Webhook} webhook @param {() => void} onOpen */
function webhookRow({ id, url, events, description, enabled }, onOpen) {
  const text = connectionsWords.value.webhooks;
  const heard = events.includes("*") ? text.all : text.kinds(events.length);
  return div(
    { class: "thing", key: id },
    icon(enabled ? "send" : "triangle-alert"),
    div(
      {},
      b({}, description || hostOf(url)),
      p(
        { class: "quiet-text" },
        [description && hostOf(url), heard, !enabled && text.off].filter(Boolean).join(" · "),
      ),
    ),
    actionButton({ label: text.edit, about: description || hostOf(url), kind: "quiet", onClick: onOpen }),
  );
}

/** @typedef {import("../../../api/problems.js").Problem} Problem */
/** @typedef {{ url: string, description: string, events: string[] }} Draft */

/** @param {Draft} draft @param {(changed: Partial<Draft>) => void} change @param {Problem | null} problem */
function webhookFields(draft, change, problem) {
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
const bodyOf = ({ url, description, events }) => ({
  url: url.trim(),
  description: description.trim(),
  events:
    /** @type {Api.NewWebhook["events"]} */ (events.filter((event) =>
      event === "*" || event in shopWords.value.activity.actions
    )),
});

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
  const text = connectionsWords.value.webhooks;
  const isAll = events.includes("*");
  const groups = /** @type {Group[]} */ (Object.keys(ABOUT));
  return div(
    { class: "stack" },
    choice({
      label: text.which,
      value: isAll ? "all" : "chosen",
      options: [{ value: "all", label: text.all }, { value: "chosen", label: text.chosen }],
      onChange: (which) => onChange(which === "all" ? ["*"] : []),
    }),
    !isAll && div({ class: "folds" }, ...groups.map((group) => kinds(group, events, onChange))),
  );
}

/** @param {Group} group @param {string[]} events @param {(events: string[]) => void} onChange */
function kinds(group, events, onChange) {
  const text = connectionsWords.value.webhooks;
  const { actions } = shopWords.value.activity;
  const found = Object.entries(actions).filter(([name]) => ABOUT[group].includes(name.split(".")[0] ?? ""));
  const count = found.filter(([name]) => events.includes(name)).length;
  return details(
    { key: group },
    summary({}, icon("chevron-down"), count ? `${text.groups[group]} · ${count}` : text.groups[group]),
    ...found.map(([name, label]) =>
      toggle({
        label,
        value: events.includes(name),
        onChange: (on) => onChange(on ? [...events, name] : events.filter((each) => each !== name)),
      })
    ),
  );
}
