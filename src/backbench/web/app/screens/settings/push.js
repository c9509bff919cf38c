// Phone notifications: on or off on this device, what for, and the account's other devices.

import { notYet, useAnswer } from "../../components/answer.js";
import { connectionFrame, problemNotice, quiet, rowOf, rowsOf } from "./kit.js";
import { iconOf, nameOf } from "./devices.js";
import { call } from "../../api/client.js";
import { actionButton, useAnnounced } from "../../components/action-button.js";
import { isOnline, useCommand } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { b, component, div, fieldset, h2, icon, legend, p, section } from "../../components/tags.js";
import { toggle } from "../../components/controls.js";
import { pushAbility } from "../../local/push.js";
import { renewals, subscribe, turnOff, turnOn, USUAL } from "../../state/push.js";
import { useState } from "../../vendor/hooks.js";
import { connectionsWords } from "../../words/connections.js";
import { inboxWords } from "../../words/inbox.js";

export function screen() {
  const answered = useAnswer(() => call("GET /me/push-subscriptions"), String(renewals.value));
  const text = connectionsWords.value.push;
  const all = answered.data?.subscriptions ?? [];
  const present = all.find(({ current }) => current) ?? null;
  const others = all.filter(({ current }) => !current);
  const reload = () => answered.reload();
  const ability = pushAbility();
  return connectionFrame(
    "push",
    quiet(text.intro),
    notYet(answered),
    ability === "ready"
      ? answered.data && component(ThisDevice, { present, onChanged: reload })
      : div({ class: "notice" }, p({}, text.cannot[ability])),
    others.length > 0 && section(
      { class: "stack" },
      h2({}, text.others),
      rowsOf(
        others.map((subscription) =>
          component(DeviceRow, { key: subscription.id, subscription, onChanged: reload })
        ),
      ),
    ),
  );
}

/** Another device of the account that gets messages, and their end. @param {{ subscription: Api.PushSubscription, onChanged: () => Promise<void>, key?: string }} props */
function DeviceRow({ subscription, onChanged }) {
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.push;
  const name = nameOf(subscription.userAgent);
  const off = () => void run(() => turnOff(subscription).then(onChanged));
  return rowOf(
    iconOf(subscription.userAgent),
    name,
    [text.through(subscription.service), problemNotice(problem)],
    actionButton({ label: text.turnOff, about: name, kind: "quiet", busy, onClick: off }),
  );
}

// This device: whether it gets messages, what for, and one to try.

/** @typedef {import("../../state/push.js").Choices} Choices */

/** `onChanged` reads the list again. @param {{ present: Api.PushSubscription | null, onChanged: () => Promise<void> }} props */
function ThisDevice(props) {
  return props.present
    ? component(On, { ...props, present: props.present })
    : component(Off, { onChanged: props.onChanged });
}

/** @param {{ onChanged: () => Promise<void> }} props */
function Off({ onChanged }) {
  const [said, setSaid] = useState("");
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.push;
  const turn = async () => {
    setSaid("");
    setSaid(await tried(async () => await turnOn(USUAL) ? "" : text.refused));
    await onChanged();
  };
  return div(
    { class: "panel" },
    p({ class: "row" }, icon("smartphone"), b({}, text.isOff)),
    said && notice({ kind: "warning", text: said }),
    problemNotice(problem),
    actionButton({
      label: text.turnOn,
      icon: "smartphone",
      kind: "main",
      busy,
      disabled: !isOnline(),
      onClick: () => void run(turn),
    }),
  );
}

/** @param {{ present: Api.PushSubscription, onChanged: () => Promise<void> }} props */
function On(props) {
  const { said, wanted, busy, problem, change, test, off } = useTurnedOn(props);
  const text = connectionsWords.value.push;
  return div(
    { class: "stack" },
    div(
      { class: "panel" },
      p({ class: "row" }, icon("circle-check"), b({}, text.isOn)),
      p({ class: "quiet-text" }, text.through(props.present.service)),
      said && p({}, said),
      problemNotice(problem),
      buttons(busy, test, off),
    ),
    choices({ wanted, disabled: busy || !isOnline(), onChange: change }),
  );
}

/** @param {{ present: Api.PushSubscription, onChanged: () => Promise<void> }} props */
function useTurnedOn({ present, onChanged }) {
  const [said, setSaid] = useState("");
  const [wanted, setWanted] = useState(/** @type {Choices} */ (present));
  const { busy, problem, run } = useCommand();
  useAnnounced(said);
  const change = (/** @type {Partial<Choices>} */ changed) => {
    const next = { kinds: wanted.kinds, details: wanted.details, ...changed };
    setWanted(next);
    void run(async () => {
      setSaid(await tried(() => subscribe(next).then(() => "")));
      await onChanged();
    });
  };
  const test = () =>
    void run(async () => {
      await call("POST /me/push-subscriptions/{subscriptionId}/test", { subscriptionId: present.id });
      setSaid(connectionsWords.value.push.tested);
    });
  const off = () =>
    void run(async () => {
      await turnOff(present);
      await onChanged();
    });
  return { said, wanted, busy, problem, change, test, off };
}

/** @param {boolean} busy @param {() => void} onTest @param {() => void} onOff */
function buttons(busy, onTest, onOff) {
  const text = connectionsWords.value.push;
  const disabled = !isOnline();
  return div(
    { class: "row" },
    actionButton({ label: text.test, icon: "send", busy, disabled, onClick: onTest }),
    actionButton({ label: text.turnOff, kind: "quiet", busy, disabled, onClick: onOff }),
  );
}

/** What the work says, or that the browser cannot. @param {() => Promise<string>} work */
async function tried(work) {
  try {
    return await work();
  } catch (error) {
    // Of the browser: it has no push service, or does not reach it.
    if (error instanceof DOMException) return connectionsWords.value.push.unreachable;
    throw error;
  }
}

/** @typedef {import("../../state/push.js").Kind} Kind */

/** What a client does. @type {readonly Kind[]} */
const AT_ONCE = ["question", "accepted", "declined"];
/** @type {readonly Kind[]} */
const MORNING = [
  "due_today",
  "overdue",
  "unanswered",
  "expiring",
  "uncollected",
  "owed",
  "unsent",
  "changed",
  "over_limit",
];

/** @param {{ wanted: Choices, disabled: boolean, onChange: (changed: Partial<Choices>) => void }} props */
function choices({ wanted, disabled, onChange }) {
  const text = connectionsWords.value.push;
  const set = (/** @type {Kind} */ kind, /** @type {boolean} */ on) =>
    onChange({ kinds: on ? [...wanted.kinds, kind] : wanted.kinds.filter((each) => each !== kind) });
  return div(
    { class: "panel" },
    group(text.atOnce, AT_ONCE, { wanted, disabled, set }),
    group(text.morning, MORNING, { wanted, disabled, set }),
    toggle({
      label: text.details,
      help: text.detailsHelp,
      value: wanted.details,
      disabled,
      onChange: (details) => onChange({ details }),
    }),
  );
}

/** @param {string} label @param {readonly Kind[]} kinds @param {{ wanted: Choices, disabled: boolean, set: (kind: Kind, on: boolean) => void }} state */
const group = (label, kinds, { wanted, disabled, set }) =>
  fieldset(
    { class: "choice" },
    legend({ class: "label" }, label),
    ...kinds.map((kind) =>
      toggle({
        label: inboxWords.value.kinds[kind],
        value: wanted.kinds.includes(kind),
        disabled,
        onChange: (on) => set(kind, on),
      })
    ),
  );
