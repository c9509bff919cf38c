// Frame of a screen: the workshop's sign on top, the screen, the five places below.

import { back as goBack } from "../state/router.js";
import { unread } from "../state/tickets.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../vendor/hooks.js";
import { words } from "../words/words.js";
import { actionButton } from "./action-button.js";
import { later } from "./later.js";
import { sign } from "./sign.js";
import { a, button, component, div, footer, h1, icon, main, nav, span } from "./tags.js";

/**
 * `back`: where the arrow leads if the app was opened here. `foot` stands above everything at the lower edge, on a
 * phone in the place of the bar of places; `alone` leaves the bar out. `actions` stand beside the title. `bare` leaves the
 * title to screen readers.
 * @typedef {{ title: string, place?: string, back?: string, actions?: any, wide?: boolean, bare?: boolean, alone?: boolean } & Foot} Frame
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

const PLACES = /** @type {const} */ ([
  ["board", "/", "columns-3"],
  ["estimates", "/estimates", "receipt-text"],
  ["new", "", "plus"],
  ["customers", "/customers", "users"],
  ["shop", "/shop", "store"],
]);

/** @param {{ place?: string }} props */
export function places({ place }) {
  const names = words.value.common.places;
  return nav(
    { class: "places" },
    ...PLACES.map(([name, href, glyph]) => {
      const content = [icon(glyph), span({}, names[name])];
      if (!href) return component(New, { content });
      return a(
        { class: "place", href, "aria-current": name === place ? "page" : undefined },
        ...content,
        name === "board" && component(Unread, {}),
      );
    }),
  );
}

const NewSheet = later(() => import("./new-sheet.js"));

/** Asks what is new: an order or an estimate. @param {{ content: any }} props */
function New({ content }) {
  const [isOpen, setOpen] = useState(false);
  const onClose = () => setOpen(false);
  return [
    button({ class: "place new", type: "button", onClick: () => setOpen(true) }, content),
    isOpen && component(NewSheet, { onClose }),
  ];
}

/** How many clients have answered. */
function Unread() {
  const count = unread.value;
  if (!count) return null;
  return span(
    { class: "place-count figures" },
    span({ "aria-hidden": "true" }, String(count)),
    span({ class: "spoken" }, words.value.board.unread(count)),
  );
}

/** `problem` is a notice or a sentence. @typedef {{ foot?: any, problem?: any }} Foot */

/** Of a screen. @param {Foot} props */
const screenFoot = ({ foot, problem }) => foot && footer({ class: "foot" }, problem, foot);

/** Of a sheet. @param {Foot} props */
export const sheetFoot = ({ foot, problem }) => foot && div({ class: "sheet-foot" }, problem, foot);
