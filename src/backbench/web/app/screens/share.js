// Share: photos that another app handed over get their order.

import { actionButton } from "../components/action-button.js";
import { emptyState } from "../components/notice.js";
import { frame } from "../components/frame.js";
import { div, img, li, p, ul } from "../components/tags.js";
import { textField } from "../components/text-field.js";
import { matches } from "../domain/search.js";
import { photoWords } from "../words/orders.js";
import { words } from "../words/words.js";
import { forgetSharedPhotos, sharedPhotos } from "../local/photos.js";
import { orders } from "../state/orders.js";
import { addPhotos } from "../state/photos.js";
import { replica } from "../state/outbox.js";
import { go } from "../state/router.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { keep } from "./photos/take-buttons.js";

const OFFERED = 20;

export function screen() {
  const [photos, setPhotos] = useState(/** @type {{ file: Blob, url: string }[] | null} */ (null));
  const [wanted, setWanted] = useState("");
  useEffect(() => {
    void sharedPhotos().then((files) =>
      setPhotos(files.map((file) => ({ file, url: URL.createObjectURL(file) })))
    );
  }, []);
  const text = photoWords.value.share;
  const content = photos?.length
    ? chosen(photos, wanted, setWanted)
    : photos
    ? emptyState({ text: text.none })
    : p({ class: "quiet-text late" }, words.value.common.loading);
  return frame({ title: text.title, place: "board", back: "/" }, content);
}

/** @param {{ file: Blob, url: string }[]} photos @param {string} wanted @param {(text: string) => void} setWanted */
function chosen(photos, wanted, setWanted) {
  const text = photoWords.value.share;
  const files = photos.map(({ file }) => file);
  return div(
    { class: "stack" },
    div(
      { class: "photo-strip" },
      ...photos.map(({ url }) => img({ key: url, class: "photo-small", src: url, alt: "" })),
    ),
    p({}, text.which(photos.length)),
    actionButton({ label: text.fresh, icon: "plus", wide: true, onClick: () => begin(files) }),
    textField({ label: text.search, type: "search", value: wanted, onInput: setWanted }),
    ul(
      { class: "stack" },
      ...found(wanted).map((order) =>
        li(
          { key: order.id },
          actionButton({
            label: [order.title, order.customerName].filter(Boolean).join(" · "),
            wide: true,
            onClick: () => give(order, files),
          }),
        )
      ),
    ),
  );
}

/** Those that are not done first; each in the order of what happened last. @param {string} wanted @returns {Api.Order[]} */
function found(wanted) {
  const all = orders.value.filter(({ title, customerName }) => matches(wanted, title, customerName));
  const isOpen = (/** @type {Api.Order} */ { status }) => status !== "done";
  return [...all.filter(isOpen), ...all.filter((order) => !isOpen(order))].slice(0, OFFERED);
}

/** @param {Api.Order} order @param {Blob[]} files */
async function give({ id }, files) {
  await addPhotos(id, files);
  await forget();
  go(`/orders/${id}`, { replace: true });
}

/** @param {Blob[]} files */
async function begin(files) {
  await keep(files);
  await forget();
  go("/orders/new", { replace: true });
}

/** What another app handed over stays until it is stored elsewhere. */
async function forget() {
  if (!replica.isFailing.value) await forgetSharedPhotos();
}
