// Press guard: a press does one thing. What has just changed under the finger takes no press for a moment, and what cannot
// be taken back has to have been seen before it is pressed. Every page loads this file; it begins by itself.
//
// After each press it watches the place of that press: another control there, another label or state of the same one, or a
// control that was not there, and the place is covered by an element that takes the presses instead. So a second press of
// the same control counts, such as of a tile or a digit, and so does every press anywhere else. With a keyboard the place
// is the focus: a key that is held or struck twice does nothing in the screen or sheet that the first one led to.

import { checkFinals, isUnseen } from "./seen-guard.js";

/** So long a place that has changed is covered, in milliseconds. */
const COVERED = 500;
/** A second press of a finger in a glove is so near to the first one, in CSS pixels. */
const RADIUS = 48;
/** A finger that has moved so far has scrolled or dragged something. */
const SLOP = 10;
/** After so long no click follows a touch any more. */
const CLICK = 300;
/** Nobody presses a second time after so long without looking. */
const WATCHED = 10_000;

const CONTROLS =
  "a[href], button, input, label, select, summary, textarea, [role=button], [role=tab], [role=switch]";
const TEXT_FIELDS =
  "input:not([type=button], [type=checkbox], [type=radio], [type=submit]), select, textarea";

/**
 * The last press. `look` tells what is at its place now, `seen` is what was there when it was last looked at, `changedAt`
 * when that changed, 0 as long as it did not.
 * @typedef {{ look: () => unknown[], seen: unknown[], at: number, changedAt: number, x: number, y: number, isKey: boolean }} Press
 */

/** @type {Press | null} */
let press = null;
let isDown = false;
/** What the finger came down on, null where that is nothing; undefined after its click. @type {Element | null | undefined} */
let pressed;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let ending;
/** Keys that were ignored: the click that they would make is, too. */
let isKeyIgnored = false;

const cover = document.createElement("div");
cover.setAttribute("aria-hidden", "true");
// In the top layer, above open sheets, and not moved by what moves them.
cover.popover = "manual";
const size = `${RADIUS * 2}px`;
cover.style.cssText =
  "position: fixed; inset: auto; z-index: 2147483647; box-sizing: border-box; margin: 0;" +
  `width: ${size}; height: ${size}; padding: 0; border: 0; border-radius: 50%; background: none; opacity: 0`;
// A field that is edited keeps the focus.
cover.addEventListener("mousedown", (event) => event.preventDefault());
/** @type {ReturnType<typeof setTimeout> | undefined} */
let covered;

/** What is pressed at a place: a control, or the open sheet, which is closed by a press beside it. @param {number} x @param {number} y */
function controlAt(x, y) {
  const found = cover.isConnected
    ? document.elementsFromPoint(x, y).find((each) => each !== cover)
    : document.elementFromPoint(x, y);
  return controlOf(found ?? null);
}

/** @param {Element | null} found */
function controlOf(found) {
  return found?.closest(CONTROLS) ?? (found?.localName === "dialog" ? found : null);
}

/** What a control says that it does. Tiles count how often they are pressed. @param {Element | null} control */
function faceOf(control) {
  if (!control || control.matches(".tile, input, select, textarea")) return ["", false];
  const isOff = control.matches(":disabled, [aria-disabled=true]");
  return [control.getAttribute("aria-label") ?? control.textContent, isOff];
}

/** The sheet that is open, else the screen. */
const layer = () => sheet() ?? document.querySelector("main");
const sheet = () => [...document.querySelectorAll("dialog:modal")].at(-1);

/** @param {() => unknown[]} look @param {{ x: number, y: number } | null} place */
function watch(look, place) {
  const { x, y } = place ?? { x: 0, y: 0 };
  press = { look, seen: look(), at: performance.now(), changedAt: 0, x, y, isKey: place === null };
}

/** Looks at the place of the last press again, once that press is over: it may end a text field, which changes what it shows. */
function check() {
  if (!press || isDown) return;
  if (performance.now() - press.at > WATCHED) return void (press = null);
  const now = press.look();
  if (now.every((each, at) => each === press?.seen[at])) return;
  press.seen = now;
  press.changedAt = performance.now();
  if (!press.isKey) coverPlace(press);
}

/** @param {{ x: number, y: number }} place */
function coverPlace({ x, y }) {
  // Beside an open sheet nothing takes presses.
  const parent = sheet() ?? document.documentElement;
  if (cover.parentNode !== parent) parent.append(cover);
  cover.style.left = `${x - RADIUS}px`;
  cover.style.top = `${y - RADIUS}px`;
  if (cover.showPopover && !cover.matches(":popover-open")) cover.showPopover();
  clearTimeout(covered);
  covered = setTimeout(() => cover.remove(), COVERED);
}

/** @param {PointerEvent} event */
function onPointerDown({ isPrimary, clientX: x, clientY: y, target }) {
  if (!isPrimary || target === cover) return;
  clearTimeout(ending);
  isDown = true;
  isKeyIgnored = false;
  pressed = controlAt(x, y);
  watch(() => {
    const control = controlAt(x, y);
    return [control, ...faceOf(control)];
  }, { x, y });
}

/** @param {PointerEvent} event */
function onPointerMove({ clientX, clientY }) {
  if (isDown && press && Math.hypot(clientX - press.x, clientY - press.y) > SLOP) forget();
}

/** The click of a touch comes after it; until then the press is not over. */
function onPointerUp() {
  clearTimeout(ending);
  ending = setTimeout(endPress, CLICK);
}

/** What the same control says by now is not what this press has done: that follows. */
function endPress() {
  clearTimeout(ending);
  pressed = undefined;
  if (!isDown) return;
  isDown = false;
  if (!press) return;
  const now = press.look();
  if (now[0] === press.seen[0]) press.seen = now;
  else check();
}

/** What was pressed was no press, or the page moved. */
function forget() {
  isDown = false;
  pressed = undefined;
  press = null;
}

/** What the person scrolls away has not changed. */
function onScroll() {
  if (press && !press.isKey && !cover.isConnected) press.seen = press.look();
}

/** @param {KeyboardEvent} event */
function onKeyDown(event) {
  isKeyIgnored = false;
  if (event.key !== "Enter" && event.key !== " ") {
    if (press?.isKey) press = null;
    return;
  }
  const pressed = document.activeElement;
  if (isAgain(event, pressed)) return ignoreKey(event);
  if (!event.repeat) watch(() => [layer(), ...faceOf(pressed)], null);
}

/** Whether a key is struck or held once more though it did something already. @param {KeyboardEvent} event @param {Element | null} pressed */
function isAgain({ repeat }, pressed) {
  if (!press?.isKey || !press.changedAt) return false;
  if (repeat) return true;
  return performance.now() - press.changedAt < COVERED && !pressed?.matches(TEXT_FIELDS);
}

/** @param {Event} event */
function ignoreKey(event) {
  isKeyIgnored = true;
  ignore(event);
}

/** @param {Event} event */
function ignore(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** A press is of what the finger came down on, also where something else has moved there since. @param {MouseEvent} event */
function pressThat(event) {
  const control = pressed;
  pressed = undefined;
  if (control === undefined || !(event.target instanceof Element)) return;
  const hit = controlOf(event.target);
  // One that was drawn anew is the same.
  if (hit === control || (control && !control.isConnected && faceOf(hit)[0] === faceOf(control)[0])) return;
  ignore(event);
  if (control instanceof HTMLElement && control.matches("a, button") && !isUnseen(control)) control.click();
}

/** Clicks that keys make, also of the button of a form. @param {MouseEvent} event */
function onClick(event) {
  if (!event.isTrusted) return;
  if (event.detail > 0) {
    pressThat(event);
    endPress();
  }
  if (isUnseen(event.target) || (isKeyIgnored && event.detail === 0)) ignore(event);
}

// Before the frame is painted, and before the next press arrives.
new MutationObserver(() => (check(), checkFinals())).observe(document, {
  subtree: true,
  childList: true,
  characterData: true,
  attributeFilter: ["aria-disabled", "aria-label", "class", "data-final", "disabled", "hidden", "open"],
});
addEventListener("pointerdown", onPointerDown, true);
addEventListener("pointermove", onPointerMove, { capture: true, passive: true });
addEventListener("pointerup", onPointerUp, true);
addEventListener("pointercancel", forget, true);
addEventListener("scroll", onScroll, { capture: true, passive: true });
addEventListener("keydown", onKeyDown, true);
addEventListener("click", onClick, true);
// What is loaded late moves what is below it.
addEventListener("load", check, true);
addEventListener("resize", forget);
