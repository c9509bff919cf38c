// Sign: the workshop's own look on top of every screen, and whether the server answers.

import { cssBackground, ground } from "../domain/backgrounds.js";
import { workshop } from "../state/workshops.js";
import { connectionMark } from "./connection-mark.js";
import { useLayoutEffect, useRef } from "../vendor/hooks.js";
import { component, header, span } from "./tags.js";

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
