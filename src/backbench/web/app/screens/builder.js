// Builder: an estimate as a till. Lines above, tiles below, the total at the lower edge.

import { actionButton } from "../components/action-button.js";
import { choice, toggle } from "../components/choice.js";
import { emptyState } from "../components/notice.js";
import { frame } from "../components/frame.js";
import { b, button, component, div, form, h2, icon, isDesk, p, span } from "../components/tags.js";
import { sheet } from "../components/sheet.js";
import { textField } from "../components/text-field.js";
import { totalBar } from "../components/total-bar.js";
import { minorDigits } from "../domain/currencies.js";
import { fixed } from "../domain/decimals.js";
import { isLocal, newId } from "../domain/ids.js";
import { UNITS } from "../domain/units.js";
import { conflicts } from "../state/conflicts.js";
import { estimate, facts, loadFacts, openEstimate } from "../state/estimates.js";
import { editTile, loadMostUsed } from "../state/grids.js";
import { drop, flush, pendingOf, refusedOf, replaced, retry } from "../state/outbox.js";
import { shortcuts } from "../state/preferences.js";
import { back, go } from "../state/router.js";
import { hasSummaries, loadSummaries } from "../state/summaries.js";
import { totals } from "../state/totals.js";
import { offerUndo } from "../state/undo.js";
import { currency } from "../state/workshops.js";
import { useEffect, useLayoutEffect, useState } from "../vendor/hooks.js";
import { batch } from "../vendor/signals.js";
import { builderWords } from "../words/builder.js";
import { explained, fieldExplained } from "../words/problems.js";
import { sendWords } from "../words/send.js";
import { words } from "../words/words.js";
import { DocumentSheet } from "./builder/document-sheet.js";
import { entryPad } from "./builder/entry.js";
import { EstimateSheet } from "./builder/estimate-sheet.js";
import { LineSheet } from "./builder/line-sheet.js";
import { emptyRoll, Lines } from "./builder/lines.js";
import { Questions, questionsOf, useQuestions } from "./builder/questions.js";
import {
  append,
  countLatest,
  createTill,
  endEntry,
  isFull,
  NEW,
  present,
  room,
  startEntry,
  tapTile,
} from "./builder/till.js";
import { page, TilePages } from "./builder/tile-pages.js";

/** @typedef {import("./builder/till.js").Till} Till */
/** @typedef {"" | "estimate" | "document" | "free" | "questions"} SheetName */

/** @param {{ params: Readonly<Record<string, string>> }} props */
export function screen({ params }) {
  const [till] = useState(() => createTill(params.estimateId ?? NEW));
  const status = useOpened(till);
  useLayoutEffect(() => () => void flush(), []);
  const shown = estimate(till.id).value;
  const isMissing = till.id !== NEW && !shown;
  if (isMissing) return missing(status);
  return component(Builder, { till });
}

/** Opens what the address names. @param {Till} till @returns {"loading" | "unknown" | "gone"} */
function useOpened(till) {
  const [status, setStatus] = useState(/** @type {"loading" | "unknown" | "gone"} */ ("loading"));
  useEffect(() => {
    void loadMostUsed();
    // The names that are taken.
    if (!hasSummaries.value) void loadSummaries().catch(() => {});
    if (till.id === NEW) return;
    openEstimate(till.id).then((found) => found || setStatus("unknown"), () => setStatus("gone"));
  }, []);
  return status;
}

/** @param {"loading" | "unknown" | "gone"} status */
function missing(status) {
  const text = builderWords.value;
  const title = words.value.common.kinds.estimate;
  if (status === "loading") {
    return frame(
      { title, place: "estimates", back: "/estimates" },
      p({ class: "quiet-text late" }, words.value.common.loading),
    );
  }
  return frame(
    { title, place: "estimates", back: "/estimates" },
    emptyState({
      text: status === "gone" ? text.gone : text.notHere,
      action: { label: text.backToEstimates, onClick: () => go("/estimates") },
    }),
  );
}

/** @param {{ till: Till }} props */
function Builder({ till }) {
  const [open, setOpen] = useState(/** @type {SheetName} */ (""));
  const shown = estimate(till.id).value;
  useQuestions(till.id);
  useFacts(till.id);
  const [actions] = useState(() => actionsOf(till));
  useKeys(actions);
  return frame(
    {
      title: shown?.name ?? builderWords.value.newEstimate,
      place: till.id === NEW ? "newEstimate" : "estimates",
      bare: true,
      wide: isDesk.value,
      foot: component(Total, { till, onSend: actions.send }),
    },
    div(
      { class: till.entry.value && !till.opened.value ? "builder docked" : "builder" },
      component(Head, { till, onOpen: () => setOpen("estimate"), onQuestions: () => setOpen("questions") }),
      refusal(till.id),
      room(till.id),
      component(Upper, { till }),
      tilesBelow(till.id, shown?.lineItems ?? [], actions.tap, () => setOpen("free")),
    ),
    component(LineSheet, { till }),
    sheets(till, open, setOpen),
  );
}

/** @param {string} id @param {Api.LineItem[]} lines @param {ReturnType<typeof tapper>} onTap @param {() => void} onFree */
const tilesBelow = (id, lines, onTap, onFree) => component(TilePages, { id, lines, onTap, onFree });

/** The document facts of an estimate that was begun here, once the server has it. @param {string} id */
function useFacts(id) {
  const present = replaced(id);
  useEffect(() => {
    if (id !== NEW && !isLocal(present) && !facts(present).peek()) void loadFacts(present);
  }, [present]);
}

/** @param {Till} till @param {SheetName} open @param {(name: SheetName) => void} setOpen */
function sheets(till, open, setOpen) {
  const onClose = () => setOpen("");
  if (open === "free") return component(FreeLine, { till, onClose });
  if (open === "questions") return component(Questions, { id: till.id, onClose });
  if (open === "document") return component(DocumentSheet, { till, onClose });
  return open && component(EstimateSheet, { till, onClose, onDocument: () => setOpen("document") });
}

/** @param {Till} till */
function send(till) {
  if (!estimate(till.id).peek()?.lineItems.length) return;
  end(till);
  void flush();
  go(`/estimates/${till.id}/send`);
}

/** @param {Till} till */
function actionsOf(till) {
  return {
    tap: tapper(till),
    digit: (/** @type {string} */ digit) => countLatest(till, digit),
    send: () => send(till),
  };
}

/** @param {Till} till */
function tapper(till) {
  return (/** @type {import("./builder/till.js").Source} */ source) => {
    const entry = till.entry.peek();
    if (entry?.asksPrice) end(till);
    tapTile(till, source);
  };
}

/** Ends an entry, and offers to take the price off the tile again. @param {Till} till */
export function end(till) {
  const kept = endEntry(till);
  const { gridId, tileId, label } = kept ?? {};
  if (!gridId || !tileId || !label) return;
  offerUndo(builderWords.value.priceKept(label), () => void editTile(gridId, tileId, { unitPrice: 0 }));
}

/** The focus goes back to the tile that it came from. @param {Till} till */
function endByKey(till) {
  end(till);
  const tile = /** @type {HTMLElement | null} */ (document.querySelector(".tiles [data-stop]"));
  tile?.focus({ preventScroll: true });
}

/** The lines; while digits are typed the entry stands in their place. @param {{ till: Till }} props */
function Upper({ till }) {
  const shown = estimate(till.id).value;
  const entry = till.entry.value;
  const line = entry && !till.opened.value && shown?.lineItems.find(({ id }) => id === entry.lineId);
  const roll = shown?.lineItems.length ? component(Lines, { till, shown }) : emptyRoll();
  return div(
    { class: "builder-upper" },
    // On a phone it is hidden meanwhile: it need not be made again.
    roll,
    line && component(Dock, { till, line, entry, onEnd: () => endByKey(till) }),
  );
}

/** @param {{ till: Till, onSend: () => void }} props */
function Total({ till, onSend }) {
  const total = totals(till.id).value?.total ?? fixed(0n, minorDigits(currency.value));
  const isEmpty = !estimate(till.id).value?.lineItems.length;
  return totalBar({
    total,
    action: { label: builderWords.value.send, icon: "send", disabled: isEmpty, onClick: onSend },
  });
}

/** @param {{ till: Till, line: Api.LineItem, entry: import("./builder/till.js").Entry, onEnd: () => void }} props */
function Dock({ till, line, entry, onEnd }) {
  const text = builderWords.value;
  const keeps = entry.asksPrice && !!entry.source?.tileId;
  return div(
    { class: "dock" },
    h2(
      { class: "dock-title", "aria-live": "polite" },
      entry.asksPrice ? text.priceOf(line.label) : line.label,
    ),
    entryPad({ till, line, entry, onEnd, focused: isDesk.value }),
    keeps && toggle({
      label: text.keepPrice,
      value: entry.keeps,
      onChange: (value) => (till.entry.value = { ...entry, keeps: value }),
    }),
  );
}

/** @param {string} id */
const refusal = (id) => component(Refusal, { id });

/** @param {{ id: string }} props */
function Refusal({ id }) {
  const item = refusedOf(id);
  if (!item?.problem) return null;
  const { common } = words.value;
  const builder = builderWords.value;
  const about = item.args.line?.label ?? item.args.fields?.label ?? item.args.fields?.name ?? "";
  const [field] = item.problem.errors ?? [];
  return div(
    { class: "notice alarm", role: "alert" },
    p({}, [builder.refused, about].filter(Boolean).join(": ")),
    p({ class: "quiet-text" }, field ? fieldExplained(field) : explained(item.problem)),
    div(
      { class: "row" },
      actionButton({ label: common.buttons.retry, onClick: () => retry(item.key) }),
      actionButton({ label: common.buttons.drop, kind: "quiet", onClick: () => drop(item.key) }),
    ),
  );
}

/** @param {{ tap: (source: import("./builder/till.js").Source) => void, digit: (digit: string) => void, send: () => void }} actions */
function useKeys({ tap, digit, send }) {
  // As soon as the screen is there: an effect after the paint would lose a digit typed before it.
  useLayoutEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (document.querySelector("dialog[open]")) return;
      if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
        event.preventDefault();
        send();
        return;
      }
      // By its place: with Alt some keyboards type another sign.
      const [, pressed] = /^(?:Digit|Numpad)(\d)$/.exec(event.code) ?? [];
      if (!pressed || !shortcuts.peek() || event.ctrlKey || event.metaKey || isTyping(event)) return;
      const found = page.peek()?.tiles[Number(pressed) - 1];
      if (event.altKey && found) tap(found.source);
      else if (!event.altKey) digit(pressed);
      else return;
      // The digit itself is not typed into the entry that opens.
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** @param {KeyboardEvent} event */
function isTyping({ target, altKey }) {
  return !altKey && target instanceof HTMLElement &&
    target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
}

// Head of the builder: the way back, the name and the client; a tap opens both.

/** @param {{ till: import("./builder/till.js").Till, onOpen: () => void, onQuestions: () => void }} props */
function Head({ till, onOpen, onQuestions }) {
  const shown = estimate(till.id).value;
  const text = builderWords.value;
  const own = replaced(till.id);
  const isDisputed = conflicts.value.some(({ objectId, part }) => objectId === own && part === "fields");
  return div(
    { class: "builder-head" },
    actionButton({
      label: words.value.common.buttons.back,
      icon: "arrow-left",
      kind: "quiet",
      iconOnly: true,
      onClick: () => back("/estimates"),
    }),
    button(
      { class: "builder-name", type: "button", onClick: onOpen },
      b({}, shown?.name || text.newEstimate),
      span(
        { class: "quiet-text" },
        isDisputed && icon("triangle-alert"),
        span({}, shown?.recipientName || text.forWhom),
        component(Pending, { id: till.id }),
      ),
    ),
    component(Asked, { id: till.id, onQuestions }),
    actionButton({ label: text.details, icon: "ellipsis", kind: "quiet", iconOnly: true, onClick: onOpen }),
  );
}

/** The client's questions, loud while one has no answer. @param {{ id: string, onQuestions: () => void }} props */
function Asked({ id, onQuestions }) {
  const { count, isOpen } = questionsOf(id);
  if (!count) return null;
  return actionButton({
    label: String(count),
    about: sendWords.value.questions,
    icon: "message-circle",
    kind: isOpen ? "main" : "quiet",
    onClick: onQuestions,
  });
}

/** @param {{ id: string }} props */
function Pending({ id }) {
  if (!pendingOf(id).value) return null;
  return icon("clock", { label: words.value.common.connection.notSentYet });
}

// Free line: something without a tile. Its label and unit here, its price on the keypad.

/** @typedef {typeof UNITS[number]} Unit */

/** @param {{ till: import("./builder/till.js").Till, onClose: () => void }} props */
function FreeLine({ till, onClose }) {
  const [label, setLabel] = useState("");
  const [unit, setUnit] = useState(/** @type {Unit} */ ("piece"));
  const builder = builderWords.value;
  const name = label.trim();
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!name) return;
    onClose();
    addFree(till, name, unit);
  };
  return sheet(
    { title: builder.somethingElse, onClose },
    form(
      { class: "stack", onSubmit: add },
      labelField(label, setLabel),
      unitChoice(unit, setUnit),
      actionButton({ label: builder.addLine, kind: "main", type: "submit", disabled: !name }),
    ),
  );
}

/** @param {string} value @param {(label: string) => void} onInput */
function labelField(value, onInput) {
  return textField({
    label: builderWords.value.whatElse,
    value,
    onInput,
    maxLength: 250,
    autofocus: true,
    autocomplete: "off",
    enterKeyHint: "done",
  });
}

/** @param {Unit} value @param {(unit: Unit) => void} onChange */
function unitChoice(value, onChange) {
  const options = UNITS.map((unit) => ({ value: unit, label: words.value.common.units[unit].long }));
  return choice({ label: builderWords.value.unit, value, options, onChange });
}

/** @param {import("./builder/till.js").Till} till @param {string} label @param {Unit} unit */
function addFree(till, label, unit) {
  const line = { id: newId(), label, unit, unitPrice: 0, quantity: 1 };
  if (isFull(present(till))) return;
  batch(() => {
    endEntry(till);
    append(till, line);
    startEntry(till, line.id, "unitPrice", { label, unit, unitPrice: 0 });
  });
}
