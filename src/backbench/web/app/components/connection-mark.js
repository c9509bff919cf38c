// Connection mark: nothing while all is sent and stored; otherwise the most important to know, and a sheet with the rest.

import { words } from "../words/words.js";
import { statuses } from "../state/status.js";
import { useState } from "../vendor/hooks.js";
import { Fragment } from "../vendor/preact.js";
import { button, component, icon, span } from "./tags.js";
import { later } from "./later.js";

export const connectionMark = (/** @type {{}} */ props) => component(ConnectionMark, props);

const WaitingChanges = later(() => import("./waiting-changes.js"));

/** @type {Record<import("../state/status.js").StatusName, string>} */
const ICONS = {
  notStored: "triangle-alert",
  refused: "triangle-alert",
  conflict: "triangle-alert",
  expired: "log-out",
  serverAway: "wifi-off",
  offline: "wifi-off",
  waiting: "clock",
  update: "refresh-cw",
};

function ConnectionMark() {
  const [open, setOpen] = useState(false);
  const [status] = statuses.value;
  const said = status ? words.value.common.status[status.name].short(status.count) : "";
  return component(
    Fragment,
    {},
    span({ role: "status", class: "spoken" }, said),
    status && button(
      { class: "connection-mark", type: "button", onClick: () => setOpen(true) },
      icon(ICONS[status.name]),
      span({}, said),
    ),
    open && component(WaitingChanges, { onClose: () => setOpen(false) }),
  );
}
