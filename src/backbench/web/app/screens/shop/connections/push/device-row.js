// Device row: another device of the account that gets messages, and their end.

import { actionButton } from "../../../../components/action-button.js";
import { useCommand } from "../../../../components/command.js";
import { b, div, icon, p } from "../../../../components/tags.js";
import { browserOf, isPhone } from "../../../../domain/browsers.js";
import { connectionsWords } from "../../../../words/connections.js";
import { shopWords } from "../../../../words/shop.js";
import { turnOff } from "../../../../state/push.js";
import { problemNotice } from "../../common/problem-notice.js";

/** @param {{ subscription: Api.PushSubscription, onChanged: () => Promise<void>, key?: string }} props */
export function DeviceRow({ subscription, onChanged }) {
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.push;
  const { devices } = shopWords.value;
  const { browser, system } = browserOf(subscription.userAgent);
  const name = !browser ? devices.unknown : system ? devices.on(browser, system) : browser;
  const off = async () => {
    await turnOff(subscription);
    await onChanged();
  };
  return div(
    { class: "thing" },
    icon(isPhone(subscription.userAgent) ? "smartphone" : "monitor"),
    div(
      {},
      b({}, name),
      p({ class: "quiet-text" }, text.through(subscription.service)),
      problemNotice(problem),
    ),
    actionButton({ label: text.turnOff, about: name, kind: "quiet", busy, onClick: () => void run(off) }),
  );
}
