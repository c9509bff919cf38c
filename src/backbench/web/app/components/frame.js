// Frame of a screen: the workshop's sign on top, the screen, the five places below.

import { words } from "../words/words.js";
import { back as goBack } from "../state/router.js";
import { unread } from "../state/unread.js";
import { useEffect, useLayoutEffect, useRef } from "../vendor/hooks.js";
import { actionButton } from "./action-button.js";
import { places } from "./places.js";
import { sign } from "./sign.js";
import { screenFoot } from "./foot.js";
import { component, div, h1, main } from "./tags.js";

/**
 * `back`: where the arrow leads if the app was opened here. `foot` stands above everything at the lower edge, on a
 * phone in the place of the bar of places; `alone` leaves the bar out. `actions` stand beside the title. `bare` leaves the
 * title to screen readers.
 * @typedef {{ title: string, place?: string, back?: string, actions?: any, wide?: boolean, bare?: boolean, alone?: boolean } & import("./foot.js").Foot} Frame
 */

/** @param {Frame} props @param {any[]} children */
export const frame = (props, ...children) => component(Frame, props, ...children);

/** @param {Frame & { children?: any }} props */
function Frame(
  { title, place, back, actions, foot, problem, wide = false, bare = false, alone = false, children },
) {
  const top = useRef(/** @type {HTMLElement | null} */ (null));
  const count = unread.value;
  useEffect(() => {
    document.title = `${count ? `(${count}) ` : ""}${title} · Backbench`;
  }, [title, count]);
  useFocus(top);
  return div(
    { class: "frame" },
    sign({}),
    main(
      { class: wide ? "screen wide" : "screen", ref: top, tabIndex: -1 },
      div(
        { class: bare && !back ? "spoken" : "screen-head" },
        back !== undefined && backButton(back),
        h1({}, title),
        actions,
      ),
      children,
    ),
    screenFoot({ foot, problem }),
    !alone && places({ place }),
  );
}

/** @param {string} back */
function backButton(back) {
  return actionButton({
    label: words.value.common.buttons.back,
    icon: "arrow-left",
    kind: "quiet",
    iconOnly: true,
    onClick: () => goBack(back),
  });
}

/**
 * A new screen is read from its top. Before the paint, so that it takes the focus from nothing the person has turned to,
 * nor from its own first field; and with the layout of that frame, where at once it would cost one more.
 * @param {{ current: HTMLElement | null }} top
 */
function useFocus(top) {
  useLayoutEffect(() => {
    const wait = requestAnimationFrame(() => {
      if (!top.current?.contains(document.activeElement)) top.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(wait);
  }, []);
}
