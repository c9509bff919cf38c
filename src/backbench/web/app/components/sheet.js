// Sheet: rises over the screen on a phone, stands in its middle on a desk. The browser keeps the focus inside.

import { words } from "../words/words.js";
import { openLayer } from "../state/layers.js";
import { useCallback, useId, useLayoutEffect, useRef } from "../vendor/hooks.js";
import { actionButton } from "./action-button.js";
import { sheetFoot } from "./frame.js";
import { component, dialog, div, h2 } from "./tags.js";

/** @typedef {{ title: string, onClose: () => void, fixed?: boolean } & import("./frame.js").Foot} Sheet `fixed` cannot be closed */

/** Drawn while it is open: `isOpen && sheet({…}, …)`. @param {Sheet} props @param {any[]} children */
export const sheet = (props, ...children) => component(SheetOf, props, ...children);

/** @param {Sheet & { children?: any }} props */
function SheetOf({ title, onClose, foot, problem, fixed = false, children }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const pressed = useRef(/** @type {EventTarget | null} */ (null));
  const id = useId();
  // With the reference, which is before all effects: a field inside takes the focus, and the next key is typed into it.
  const open = useCallback((/** @type {HTMLDialogElement | null} */ made) => {
    element.current = made;
    made?.showModal();
  }, []);
  useLayoutEffect(() => () => element.current?.close(), []);
  useBack(fixed ? null : onClose);
  return dialog(
    {
      class: "sheet",
      ref: open,
      "aria-labelledby": id,
      onCancel: (event) => {
        event.preventDefault();
        if (!fixed) onClose();
      },
      // A drag that begins inside, such as one that selects text, closes nothing where it ends.
      onPointerDown: (event) => (pressed.current = event.target),
      onClick: (event) => {
        if (event.target === element.current && pressed.current === element.current && !fixed) onClose();
      },
    },
    head(id, title, fixed ? null : onClose),
    div({ class: "sheet-body" }, children),
    sheetFoot({ foot, problem }),
  );
}

/** The browser's Back closes what is open. @param {(() => void) | null} onClose null where it cannot be closed */
export function useBack(onClose) {
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => onClose ? openLayer(() => close.current?.()) : undefined, []);
}

/** @param {string} id @param {string} title @param {(() => void) | null} onClose */
function head(id, title, onClose) {
  return div(
    { class: "sheet-head" },
    h2({ id }, title),
    onClose && actionButton({
      label: words.value.common.buttons.close,
      icon: "x",
      kind: "quiet",
      iconOnly: true,
      onClick: onClose,
    }),
  );
}
