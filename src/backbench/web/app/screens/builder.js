// Builder: an estimate as a till. Lines above, tiles below, the total at the lower edge.

import { emptyState } from "../components/empty-state.js";
import { frame } from "../components/frame.js";
import { isDesk } from "../components/media.js";
import { component, div, p } from "../components/tags.js";
import { totalBar } from "../components/total-bar.js";
import { fixed } from "../domain/decimals.js";
import { isLocal } from "../domain/ids.js";
import { minorDigits } from "../domain/currencies.js";
import { builderWords } from "../words/builder.js";
import { words } from "../words/words.js";
import { estimate, facts, loadFacts, openEstimate } from "../state/estimates.js";
import { totals } from "../state/totals.js";
import { editTile, loadMostUsed } from "../state/grids.js";
import { flush, replaced } from "../state/outbox.js";
import { go } from "../state/router.js";
import { hasSummaries, loadSummaries } from "../state/summaries.js";
import { offerUndo } from "../state/undo.js";
import { currency } from "../state/workshops.js";
import { useEffect, useLayoutEffect, useState } from "../vendor/hooks.js";
import { Dock } from "./builder/dock.js";
import { DocumentSheet } from "./builder/document-sheet.js";
import { EstimateSheet } from "./builder/estimate-sheet.js";
import { FreeLine } from "./builder/free-line.js";
import { Head } from "./builder/head.js";
import { useKeys } from "./builder/keys.js";
import { LineSheet } from "./builder/line-sheet.js";
import { emptyRoll, Lines } from "./builder/lines.js";
import { Questions, useQuestions } from "./builder/questions.js";
import { refusal } from "./builder/refusal.js";
import { room } from "./builder/room.js";
import { TilePages } from "./builder/tile-pages.js";
import { countLatest, createTill, endEntry, NEW, tapTile } from "./builder/till.js";

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
