// Connection mark: nothing while all is sent; otherwise what waits, and a sheet with each change.

import { words } from "../i18n/index.js";
import { connection } from "../state/connection.js";
import { useState } from "../vendor/hooks.js";
import { Fragment } from "../vendor/preact.js";
import { button, component, icon, span } from "./tags.js";
import { Later } from "./later.js";

export const connectionMark = (/** @type {{}} */ props) => component(ConnectionMark, props);

function ConnectionMark() {
  const [open, setOpen] = useState(false);
  const { online, waiting, refused, isStored } = connection.value;
  const text = words.value.common.connection;
  const said = isStored ? saying(text, online, waiting, refused) : text.storageFull;
  return component(
    Fragment,
    {},
    span({ role: "status", class: "spoken" }, said),
    said !== "" && button(
      { class: "connection-mark", type: "button", onClick: () => setOpen(true) },
      icon(refused || !isStored ? "triangle-alert" : online ? "clock" : "wifi-off"),
      span({}, said),
    ),
    open && component(Later, {
      load: () => import("./waiting-changes.js"),
      props: { onClose: () => setOpen(false) },
    }),
  );
}

/** @param {typeof words.value.common.connection} text @param {boolean} online @param {number} waiting @param {number} refused */
function saying(text, online, waiting, refused) {
  if (refused) return text.refused(refused);
  if (!online) return waiting ? text.offlineWaiting(waiting) : text.offline;
  return "";
}
