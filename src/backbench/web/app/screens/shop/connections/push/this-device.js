// This device: whether it gets messages, what for, and one to try.

import { call } from "../../../../api/client.js";
import { actionButton } from "../../../../components/action-button.js";
import { useAnnounced } from "../../../../components/announcer.js";
import { useCommand } from "../../../../components/command.js";
import { isOnline } from "../../../../components/needs-connection.js";
import { notice } from "../../../../components/notice.js";
import { b, component, div, icon, p } from "../../../../components/tags.js";
import { connectionsWords } from "../../../../words/connections.js";
import { subscribe, turnOff, turnOn, USUAL } from "../../../../state/push.js";
import { useState } from "../../../../vendor/hooks.js";
import { problemNotice } from "../../common/problem-notice.js";
import { choices } from "./choices.js";

/** @typedef {import("../../../../state/push.js").Choices} Choices */

/** `onChanged` reads the list again. @param {{ present: Api.PushSubscription | null, onChanged: () => Promise<void> }} props */
export function ThisDevice(props) {
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
