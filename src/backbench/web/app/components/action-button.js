// Action button: a button or a link that looks like one.

import { useEffect } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { a, button, component, div, icon, span } from "./tags.js";

/**
 * `about` names for screen readers what the label leaves open: "Start", of which order. `isFinal`: what it does cannot be
 * taken back, so the press guard waits until it was seen.
 * @typedef {{ label: string, icon?: string, kind?: "main" | "plain" | "quiet" | "danger", onClick?: () => void,
 *   href?: string, disabled?: boolean, busy?: boolean, about?: string, iconOnly?: boolean, wide?: boolean,
 *   type?: "button" | "submit", pressed?: boolean, download?: string, isFinal?: boolean | undefined }} ActionButton
 */

/** @param {ActionButton} props */
export function actionButton({ label, icon: glyph, iconOnly = false, about, ...rest }) {
  const content = [
    glyph && icon(glyph),
    iconOnly ? null : span({}, label),
    about && span({ class: "spoken" }, `: ${about}`),
  ];
  const name = iconOnly ? { "aria-label": about ? `${label}: ${about}` : label, title: label } : {};
  return rest.href === undefined
    ? pressable(rest, name, content, iconOnly)
    : link(rest, name, content, iconOnly);
}

/** @param {Omit<ActionButton, "label">} props @param {object} name @param {any[]} content @param {boolean} iconOnly */
function pressable(
  { kind = "plain", onClick, disabled, busy, wide, type = "button", pressed, isFinal },
  name,
  content,
  iconOnly,
) {
  const idle = disabled || busy;
  return button(
    {
      ...name,
      class: classes(kind, iconOnly, wide),
      type,
      "aria-disabled": idle ? "true" : undefined,
      "aria-busy": busy ? "true" : undefined,
      "aria-pressed": pressed,
      "data-final": isFinal ? "" : undefined,
      // A disabled button stays in the focus order, so that its reason can be read.
      onClick: (event) => {
        if (idle) event.preventDefault();
        else onClick?.();
      },
    },
    ...content,
  );
}

/** @param {Omit<ActionButton, "label">} props @param {object} name @param {any[]} content @param {boolean} iconOnly */
function link({ kind = "plain", href, wide, onClick, download }, name, content, iconOnly) {
  return a({ ...name, class: classes(kind, iconOnly, wide), href, download, onClick }, ...content);
}

/** @param {string} kind @param {boolean} iconOnly @param {boolean} [wide] */
function classes(kind, iconOnly, wide) {
  return ["button", kind, iconOnly && "icon-only", wide && "wide"].filter(Boolean).join(" ");
}

const said = signal("");

export const announcer = () => component(Announcer, {});

function Announcer() {
  return div({ class: "spoken", role: "status" }, said.value);
}

/** Says the text once it is shown, and again when it changes. @param {unknown} text */
export function useAnnounced(text) {
  useEffect(() => {
    if (typeof text !== "string" || !text) return;
    said.value = text;
    return () => {
      if (said.peek() === text) said.value = "";
    };
  }, [text]);
}
