// Shortcuts: the app by keyboard. Nothing happens while somebody types.

import { dd, div, dl, dt, kbd } from "../components/tags.js";
import { sheet } from "../components/sheet.js";
import { deskWords } from "../words/inbox.js";
import { words } from "../words/words.js";
import { go, route } from "../state/router.js";
import { shortcuts } from "../state/preferences.js";
import { takeUndo, undoOffer } from "../state/undo.js";
import { useLayoutEffect, useState } from "../vendor/hooks.js";
import { screen as intake } from "./intake.js";
import { keepScreen } from "./loading.js";

// The intake comes with its key: what is typed right after the key goes to its first field.
keepScreen("intake", intake);

/** What each key does; those of the builder are its own. @type {Record<string, () => void>} */
const ACTIONS = {
  n: newThing,
  b: () => go("/"),
  e: () => go("/estimates"),
  c: () => go("/customers"),
  s: () => go("/shop"),
  "/": search,
};

/** Listens to the keys; draws the help. */
export function part() {
  const [helps, setHelps] = useState(false);
  useLayoutEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (isUndo(event) && undoOffer.peek() && !isTyping(event.target)) {
        event.preventDefault();
        return takeUndo();
      }
      if (
        !shortcuts.peek() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) ||
        document.querySelector("dialog[open]")
      ) return;
      const action = event.key === "?" ? () => setHelps(true) : ACTIONS[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return helps ? help(() => setHelps(false)) : null;
}

/** Ctrl or Command with Z. @param {KeyboardEvent} event */
function isUndo({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "z";
}

/** The search of the screen; on a phone's board it is opened first. */
function search() {
  const field = document.querySelector(/** @type {"input"} */ ("input[type=search]"));
  if (field) field.focus();
  else document.querySelector(/** @type {"button"} */ (".board-tools > button[aria-pressed]"))?.click();
}

/** On the board a new order, elsewhere a new estimate. */
function newThing() {
  go(route.value.name === "board" ? "/orders/new" : "/estimates/new");
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement &&
    target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
}

/** @param {() => void} onClose */
function help(onClose) {
  const text = deskWords.value.keys;
  /** @type {[string, string][]} */
  const rows = [
    ["n", `${words.value.board.newOrder} / ${words.value.board.newEstimate}`],
    ["/", text.search],
    ["b e c s", text.places],
    ["Alt + 1 … 9", text.tiles],
    ["0 … 9", text.quantity],
    ["Ctrl + Enter", text.send],
    ["Ctrl + Z", text.undo],
    ["?", text.help],
  ];
  return sheet(
    { title: text.title, onClose },
    dl(
      { class: "keys" },
      ...rows.map(([key, action]) => div({ class: "row" }, dt({}, kbd({}, key)), dd({}, action))),
    ),
  );
}
