// Builder of an estimate. Lines above, tiles below, the total at the lower edge.

import { errorWords } from "../words/errors.js";
import { actionButton } from "../components/action-button.js";
import { missing, useOpened } from "../components/answer.js";
import { isOnline } from "../components/command.js";
import { choice, toggle } from "../components/controls.js";
import { frame } from "../components/frame.js";
import { b, button, component, div, form, h2, icon, isDesk, p, span } from "../components/tags.js";
import { sheet } from "../components/sheet.js";
import { textField } from "../components/text-field.js";
import { totalBar } from "../components/total-bar.js";
import { minorDigits } from "../domain/currencies.js";
import { fixed } from "../domain/decimals.js";
import { isLocal, newId } from "../domain/ids.js";
import { UNITS } from "../domain/units.js";
import { partOf } from "../state/conflicts.js";
import { conflicts } from "../state/status.js";
import { estimate, facts, loadFacts, openEstimate } from "../state/estimates.js";
import { editTile, loadMostUsed } from "../state/grids.js";
import { drop, flush, isPending, refusedOf, replaced, retry } from "../state/outbox.js";
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
  createEditing,
  endEntry,
  isFull,
  NEW,
  present,
  room,
  startEntry,
  tapTile,
} from "./builder/editing.js";
import { page, TilePages } from "./builder/tile-pages.js";

/** @typedef {import("./builder/editing.js").Editing} Editing */
/** @typedef {"" | "estimate" | "document" | "free" | "questions"} SheetName */

/** @param {{ params: Readonly<Record<string, string>> }} props */
export function screen({ params }) {
  const [editing] = useState(() => createEditing(params.estimateId ?? NEW));
  const opened = useEstimate(editing);
  useLayoutEffect(() => () => void flush(), []);
  const shown = estimate(editing.id).value;
  const isMissing = editing.id !== NEW && !shown;
  if (isMissing) return absent(opened);
  return component(Builder, { editing });
}

/** Opens what the address names. @param {Editing} editing */
function useEstimate(editing) {
  const isNew = editing.id === NEW;
  const opened = useOpened(
    async () => isNew || await openEstimate(editing.id),
    isNew || estimate(editing.id).value,
    editing.id,
  );
  const online = isOnline();
  useEffect(() => {
    void loadMostUsed();
    // The names that are taken.
    if (!hasSummaries.peek()) void loadSummaries();
  }, [online, opened.problem]);
  return opened;
}

/** @param {ReturnType<typeof useEstimate>} opened */
function absent(opened) {
  const text = builderWords.value;
  return frame(
    { title: errorWords.value.kinds.estimate, place: "estimates", back: "/estimates" },
    missing(opened, {
      text: text.gone,
      action: { label: text.backToEstimates, onClick: () => go("/estimates") },
    }),
  );
}

/** @param {{ editing: Editing }} props */
function Builder({ editing }) {
  const [open, setOpen] = useState(/** @type {SheetName} */ (""));
  const shown = estimate(editing.id).value;
  useQuestions(editing.id);
  useFacts(editing.id);
  const [actions] = useState(() => actionsOf(editing));
  useKeys(actions);
  return frame(
    {
      title: shown?.name ?? words.value.board.newEstimate,
      place: "estimates",
      bare: true,
      wide: isDesk.value,
      foot: component(Total, { editing, onSend: actions.send }),
    },
    div(
      { class: editing.entry.value && !editing.opened.value ? "builder with-entry" : "builder" },
      component(Head, {
        editing,
        onOpen: () => setOpen("estimate"),
        onQuestions: () => setOpen("questions"),
      }),
      refusal(editing.id),
      room(editing.id),
      component(Upper, { editing }),
      tilesBelow(editing.id, shown?.lineItems ?? [], actions.tap, () => setOpen("free")),
    ),
    component(LineSheet, { editing }),
    sheets(editing, open, setOpen),
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

/** @param {Editing} editing @param {SheetName} open @param {(name: SheetName) => void} setOpen */
function sheets(editing, open, setOpen) {
  const onClose = () => setOpen("");
  if (open === "free") return component(FreeLine, { editing, onClose });
  if (open === "questions") return component(Questions, { id: editing.id, onClose });
  if (open === "document") return component(DocumentSheet, { editing, onClose });
  return open && component(EstimateSheet, { editing, onClose, onDocument: () => setOpen("document") });
}

/** @param {Editing} editing */
function send(editing) {
  if (!estimate(editing.id).peek()?.lineItems.length) return;
  end(editing);
  void flush();
  go(`/estimates/${editing.id}/send`);
}

/** @param {Editing} editing */
function actionsOf(editing) {
  return {
    tap: tapper(editing),
    digit: (/** @type {string} */ digit) => countLatest(editing, digit),
    send: () => send(editing),
  };
}

/** @param {Editing} editing */
function tapper(editing) {
  return (/** @type {import("./builder/editing.js").Source} */ source) => {
    const entry = editing.entry.peek();
    if (entry?.asksPrice) end(editing);
    tapTile(editing, source);
  };
}

/** Ends an entry, and offers to take the price off the tile again. @param {Editing} editing */
export function end(editing) {
  const kept = endEntry(editing);
  const { gridId, tileId, label } = kept ?? {};
  if (!gridId || !tileId || !label) return;
  offerUndo(builderWords.value.priceKept(label), () => void editTile(gridId, tileId, { unitPrice: 0 }));
}

/** The focus goes back to the tile that it came from. @param {Editing} editing */
function endByKey(editing) {
  end(editing);
  const tile = /** @type {HTMLElement | null} */ (document.querySelector(".tiles [data-stop]"));
  tile?.focus({ preventScroll: true });
}

/** The lines; while digits are typed the entry stands in their place. @param {{ editing: Editing }} props */
function Upper({ editing }) {
  const shown = estimate(editing.id).value;
  const entry = editing.entry.value;
  const line = entry && !editing.opened.value && shown?.lineItems.find(({ id }) => id === entry.lineId);
  const roll = shown?.lineItems.length ? component(Lines, { editing, shown }) : emptyRoll();
  return div(
    { class: "builder-upper" },
    // On a phone it is hidden meanwhile: it need not be made again.
    roll,
    line && component(EntryArea, { editing, line, entry, onEnd: () => endByKey(editing) }),
  );
}

/** @param {{ editing: Editing, onSend: () => void }} props */
function Total({ editing, onSend }) {
  const total = totals(editing.id).value?.total ?? fixed(0n, minorDigits(currency.value));
  const isEmpty = !estimate(editing.id).value?.lineItems.length;
  return totalBar({
    total,
    action: { label: builderWords.value.send, icon: "send", disabled: isEmpty, onClick: onSend },
  });
}

/** @param {{ editing: Editing, line: Api.LineItem, entry: import("./builder/editing.js").Entry, onEnd: () => void }} props */
function EntryArea({ editing, line, entry, onEnd }) {
  const text = builderWords.value;
  const keeps = entry.asksPrice && !!entry.source?.tileId;
  return div(
    { class: "entry-area" },
    h2(
      { class: "entry-title", "aria-live": "polite" },
      entry.asksPrice ? text.priceOf(line.label) : line.label,
    ),
    entryPad({ editing, line, entry, onEnd, focused: isDesk.value }),
    keeps && toggle({
      label: text.keepPrice,
      value: entry.keeps,
      onChange: (value) => (editing.entry.value = { ...entry, keeps: value }),
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

/** @param {{ tap: (source: import("./builder/editing.js").Source) => void, digit: (digit: string) => void, send: () => void }} actions */
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

/** @param {{ editing: import("./builder/editing.js").Editing, onOpen: () => void, onQuestions: () => void }} props */
function Head({ editing, onOpen, onQuestions }) {
  const shown = estimate(editing.id).value;
  const text = builderWords.value;
  const own = replaced(editing.id);
  const isDisputed = conflicts.value.some(({ item }) => item.objectId === own && partOf(item) === "fields");
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
      b({}, shown?.name || words.value.board.newEstimate),
      span(
        { class: "quiet-text" },
        isDisputed && icon("triangle-alert"),
        span({}, shown?.recipientName || text.forWhom),
        component(Pending, { id: editing.id }),
      ),
    ),
    component(Asked, { id: editing.id, onQuestions }),
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
  if (!isPending(id)) return null;
  return icon("clock", { label: words.value.common.connection.notSentYet });
}

// Free line: something without a tile. Its label and unit here, its price on the keypad.

/** @typedef {typeof UNITS[number]} Unit */

/** @param {{ editing: import("./builder/editing.js").Editing, onClose: () => void }} props */
function FreeLine({ editing, onClose }) {
  const [label, setLabel] = useState("");
  const [unit, setUnit] = useState(/** @type {Unit} */ ("piece"));
  const builder = builderWords.value;
  const name = label.trim();
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!name) return;
    onClose();
    addFree(editing, name, unit);
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

/** @param {import("./builder/editing.js").Editing} editing @param {string} label @param {Unit} unit */
function addFree(editing, label, unit) {
  const line = { id: newId(), label, unit, unitPrice: 0, quantity: 1 };
  if (isFull(present(editing))) return;
  batch(() => {
    endEntry(editing);
    append(editing, line);
    startEntry(editing, line.id, "unitPrice", { label, unit, unitPrice: 0 });
  });
}
