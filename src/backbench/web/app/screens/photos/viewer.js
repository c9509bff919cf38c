// Viewer: photos full screen, from one to the next with a swipe, with what is said of each.

import { actionButton } from "../../components/action-button.js";
import { chips, toggle } from "../../components/controls.js";
import { isLocal } from "../../domain/ids.js";
import { useBack } from "../../components/sheet.js";
import { dialog, div, img, p, span } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { words } from "../../words/words.js";
import { photoWords, refusedPhoto } from "../../words/orders.js";
import { retry } from "../../state/outbox.js";
import { deletePhoto, editPhoto, makeCover, photosOf } from "../../state/photos.js";
import { useCallback, useEffect, useRef, useState } from "../../vendor/hooks.js";

/** @typedef {import("../../state/photos.js").ShownPhoto} ShownPhoto */

const KINDS = /** @type {const} */ (["before", "during", "after", "detail"]);

/** @param {{ orderId: string, start: number, onClose: () => void }} props */
export function part({ orderId, start, onClose }) {
  const { row, at, setAt, show, open } = useRow(start);
  const photos = photosOf(orderId);
  const shownAt = Math.min(at, photos.length - 1);
  const photo = photos[shownAt];
  useEffect(() => void (photo || onClose()), [!photo]);
  useBack(onClose);
  if (!photo) return null;
  return dialog(
    {
      class: "viewer",
      ref: open,
      "aria-label": photoWords.value.nth(shownAt + 1, photos.length),
      onCancel: (event) => {
        event.preventDefault();
        onClose();
      },
      onKeyDown: (event) => {
        const next = shownAt + stepOf(event);
        if (next !== shownAt && photos[next]) show(next);
      },
    },
    head(shownAt, photos.length, show, onClose),
    div(
      { class: "viewer-row", ref: row, onScroll: ({ currentTarget }) => setAt(inView(currentTarget)) },
      ...photos.map(large),
    ),
    said(orderId, photo, shownAt, show),
  );
}

/** The row of photos, which one it shows, and the dialog that is open around it. @param {number} start */
function useRow(start) {
  const [at, setAt] = useState(start);
  const row = useRef(/** @type {HTMLDivElement | null} */ (null));
  const show = (/** @type {number} */ next) => {
    const { current } = row;
    current?.scrollTo({ left: next * current.clientWidth });
    setAt(next);
  };
  const open = useCallback((/** @type {HTMLDialogElement | null} */ made) => {
    if (made && !made.open) made.showModal();
    row.current?.scrollTo({ left: start * row.current.clientWidth, behavior: "instant" });
  }, []);
  return { row, at, setAt, show, open };
}

/** By the arrow keys; in a field, they move the cursor. @param {KeyboardEvent} event */
function stepOf({ target, key }) {
  if (target instanceof HTMLInputElement) return 0;
  return key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
}

/** The photo that a row was swiped to. @param {HTMLElement} row */
function inView({ scrollLeft, clientWidth }) {
  return Math.max(0, Math.round(scrollLeft / (clientWidth || 1)));
}

/** @param {ShownPhoto} photo */
function large({ id, image, caption, kind }) {
  const alt = caption || photoWords.value.kinds[kind];
  return div({ key: id, class: "viewer-photo" }, img({ src: image, alt, loading: "lazy" }));
}

/** @param {number} at @param {number} of @param {(at: number) => void} show @param {() => void} onClose */
function head(at, of, show, onClose) {
  const text = photoWords.value;
  const step = (/** @type {number} */ by) =>
    actionButton({
      label: by < 0 ? text.previous : text.next,
      icon: by < 0 ? "chevron-left" : "chevron-right",
      kind: "quiet",
      iconOnly: true,
      disabled: at + by < 0 || at + by >= of,
      onClick: () => show(at + by),
    });
  return div(
    { class: "viewer-head" },
    actionButton({ label: text.close, icon: "x", kind: "quiet", iconOnly: true, onClick: onClose }),
    span({ class: "figures" }, `${at + 1} / ${of}`),
    div({ class: "row" }, step(-1), step(1)),
  );
}

/** @param {string} orderId @param {ShownPhoto} photo @param {number} at @param {(at: number) => void} show */
function said(orderId, photo, at, show) {
  const text = photoWords.value;
  const { id, kind, caption, shared, waits } = photo;
  return div(
    { class: "viewer-said", key: id },
    waits && p({ class: "row" }, reason(waits.problem)),
    chips({
      label: text.kind,
      chips: KINDS.map((value) => ({ value, label: text.kinds[value], pressed: value === kind })),
      onTap: (value) => editPhoto(orderId, id, { kind: /** @type {typeof kind} */ (value) }),
    }),
    textField({
      label: text.caption,
      value: caption,
      maxLength: 250,
      onCommit: (value) => editPhoto(orderId, id, { caption: value.trim() }),
    }),
    toggle({
      label: text.shared,
      help: text.sharedHelp,
      value: shared,
      onChange: (value) => editPhoto(orderId, id, { shared: value }),
    }),
    actions(orderId, photo, at, show),
  );
}

/** @param {string} orderId @param {ShownPhoto} photo @param {number} at @param {(at: number) => void} show */
function actions(orderId, photo, at, show) {
  const text = photoWords.value;
  const { id, waits } = photo;
  return div(
    { class: "row" },
    waits?.problem && actionButton({ label: text.retry, onClick: () => retry(waits.key) }),
    !isLocal(id) && actionButton({
      label: at === 0 ? text.isCover : text.cover,
      icon: "star",
      kind: "quiet",
      disabled: at === 0,
      onClick: () => {
        makeCover(orderId, id);
        show(0);
      },
    }),
    actionButton({
      label: text.delete,
      icon: "trash-2",
      kind: "quiet",
      onClick: () => deletePhoto(orderId, photo, text.deleted),
    }),
  );
}

/** @param {import("../../api/problems.js").StoredProblem | null} problem */
function reason(problem) {
  return problem ? refusedPhoto(problem) : words.value.common.connection.notSentYet;
}
