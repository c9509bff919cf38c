// Sign: the workshop's own look on top of every screen, and whether the server answers.

import { cssBackground, ground } from "../domain/colours.js";
import { statuses } from "../state/status.js";
import { workshop } from "../state/workshops.js";
import { useLayoutEffect, useRef, useState } from "../vendor/hooks.js";
import { Fragment } from "../vendor/preact.js";
import { words } from "../words/words.js";
import { later } from "./later.js";
import { button, component, header, icon, span } from "./tags.js";

/** What a sign shows; a draft while it is being edited. @typedef {Pick<Api.Workshop, "name" | "logo" | "background" | "titleFont"> & Partial<Pick<Api.Workshop, "customBackground" | "accentColor">>} Look */

/** @param {{ look?: Look }} props */
export const sign = (props) => component(Sign, props);

/** @param {{ look?: Look }} props */
function Sign({ look }) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const shown = look ?? workshop.value;
  // Before the paint: a browser loads every font that was painted once.
  useLayoutEffect(() => paint(element.current, shown), [shown]);
  return header(
    { class: "sign", ref: element },
    shown && span({ class: "sign-logo", "aria-hidden": "true" }, shown.logo),
    span({ class: "sign-name" }, shown?.name ?? "Backbench"),
    connectionMark({}),
    !look && component(HelpLink, {}),
  );
}

/** Sets the colours of the workshop. @param {HTMLElement | null} element @param {Look | null} look */
export function paint(element, look) {
  if (!element || !look) return;
  const colours = ground(look);
  element.style.setProperty("--sign-ground", cssBackground(colours));
  element.style.setProperty("--sign-text", colours.text);
  element.style.setProperty("--sign-accent", look.accentColor ?? "transparent");
  element.style.setProperty("--title-font", `var(--title-${look.titleFont})`);
}

const connectionMark = (/** @type {{}} */ props) => component(ConnectionMark, props);

const HelpLink = later(() => import("./help-link.js"));
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
  const said = status ? words.value.common.status[status.name](status.count) : "";
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
