// What a finger and a keyboard do: the events of a browser, and what it does by itself after them.

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const EDITED = "input:not([type=checkbox]):not([type=radio]):not([type=file]), textarea";
/** What a field had when it got the focus: it says that it has changed when it is left. @type {WeakMap<any, string>} */
const values = new WeakMap();

/** @param {any} element */
export function focus(element) {
  const { document } = element.ownerDocument.defaultView;
  const before = document.activeElement;
  if (before === element) return;
  leave(document);
  element.focus();
  if (element.matches?.(EDITED)) values.set(element, element.value);
}

/** The element with the focus loses it. @param {any} document */
export function leave(document) {
  const before = document.activeElement;
  if (!before || before === document.body) return;
  if (values.has(before) && values.get(before) !== before.value) fire(before, "change", "Event");
  values.delete(before);
  before.blur();
}

/** The first thing that can have the focus, as in a dialog that opens. @param {any} dialog */
export function focusFirst(dialog) {
  const inside = dialog.contains(dialog.ownerDocument.activeElement);
  const found = dialog.querySelector("[autofocus]") ?? dialog.querySelector(FOCUSABLE);
  if (!inside) (found ?? dialog).focus();
}

/** @param {any} element @param {string} type @param {string} of class of the event @param {any} [more] */
export function fire(element, type, of, more = {}) {
  const made = new element.ownerDocument.defaultView[of](type, { bubbles: true, cancelable: true, ...more });
  return element.dispatchEvent(made);
}

/** @param {any} element */
export function click(element) {
  const at = { button: 0, isPrimary: true, pointerType: "touch", clientX: 1, clientY: 1 };
  fire(element, "pointerdown", "PointerEvent", at);
  if (fire(element, "mousedown", "MouseEvent", at)) {
    const target = element.closest("label")?.control ?? element.closest(FOCUSABLE);
    if (target) focus(target);
    else leave(element.ownerDocument);
  }
  fire(element, "pointerup", "PointerEvent", at);
  fire(element, "mouseup", "MouseEvent", at);
  // The screen may be another one by now.
  if (element.isConnected) element.click();
}

/** @param {any} element @param {string} text */
export function fill(element, text) {
  focus(element);
  element.value = text;
  fire(element, "input", "InputEvent");
  if (element.matches("[type=date], [type=time], [type=color], [type=range]")) {
    fire(element, "change", "Event");
  }
}

/** @param {any} window @param {string} keys such as `Enter` or `Control+Enter` */
export function press(window, keys) {
  const { document } = window;
  const held = keys.length > 1 ? keys.split("+") : [keys];
  const key = { Space: " " }[held.at(-1) ?? ""] ?? held.at(-1) ?? "";
  const modifiers = Object.fromEntries(
    [["Control", "ctrlKey"], ["Shift", "shiftKey"], ["Alt", "altKey"], ["Meta", "metaKey"]].map((
      [name, of],
    ) => [
      of,
      held.slice(0, -1).includes(name ?? ""),
    ]),
  );
  const target = document.activeElement ?? document.body;
  const goesOn = fire(target, "keydown", "KeyboardEvent", { key, ...modifiers });
  if (goesOn && !modifiers.ctrlKey && !modifiers.metaKey) act(window, target, key, modifiers.shiftKey);
  const now = document.activeElement ?? document.body;
  fire(now, "keyup", "KeyboardEvent", { key, ...modifiers });
}

/** @param {any} element */
const isReached = (element) =>
  element.tabIndex >= 0 && !element.disabled && !element.closest("[hidden], [inert]");

/** What the browser does for a key that nobody has taken. @param {any} window @param {any} target @param {string} key @param {boolean} [isBackwards] */
function act(window, target, key, isBackwards) {
  const dialog = [...window.document.querySelectorAll("dialog[data-modal]")].at(-1);
  const isField = target.matches("input, textarea");
  if (key === "Tab") {
    const all = [...window.document.querySelectorAll(FOCUSABLE)].filter(isReached);
    const next = all[all.indexOf(target) + (isBackwards ? -1 : 1)];
    if (next) focus(next);
    else leave(window.document);
  } else if (key === "Escape" && dialog) {
    if (fire(dialog, "cancel", "Event", { bubbles: false })) dialog.close();
  } else if (key === "Enter" && target.matches("input") && target.form) {
    const submit = target.form.querySelector("button[type=submit], input[type=submit]");
    if (submit) submit.click();
    else target.form.requestSubmit();
  } else if ((key === "Enter" || key === " ") && target.matches("button, a[href], summary")) {
    target.click();
  } else if (key === " " && target.matches("input[type=checkbox], input[type=radio]")) {
    target.click();
  } else if (isField && key.length === 1) {
    if (!values.has(target)) values.set(target, target.value);
    target.value += key;
    fire(target, "input", "InputEvent");
  } else if (isField && key === "Backspace") {
    target.value = target.value.slice(0, -1);
    fire(target, "input", "InputEvent");
  }
}
