// Phone notifications: on or off on this device, what for, and the account's other devices.

import { call } from "../../../api/client.js";
import { component, div, h2, p, section } from "../../../components/tags.js";
import { connectionsWords } from "../../../words/connections.js";
import { pushAbility } from "../../../local/push.js";
import { renewals } from "../../../state/push.js";
import { notYet, useAnswer } from "../common/use-answer.js";
import { connectionFrame } from "./head.js";
import { DeviceRow } from "./push/device-row.js";
import { ThisDevice } from "./push/this-device.js";

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
    p({ class: "quiet-text" }, text.intro),
    notYet(answered),
    ability === "ready"
      ? answered.data && component(ThisDevice, { present, onChanged: reload })
      : div({ class: "notice" }, p({}, text.cannot[ability])),
    others.length > 0 && section(
      { class: "stack" },
      h2({}, text.others),
      div(
        { class: "things" },
        ...others.map((subscription) =>
          component(DeviceRow, { key: subscription.id, subscription, onChanged: reload })
        ),
      ),
    ),
  );
}
