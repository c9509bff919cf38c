import { errorWords } from "../words/errors.js";
import { fieldName } from "../words/field-names.js";
import { ago } from "../domain/format.js";
import { KINDS } from "../domain/kinds.js";
import { partOf } from "../state/conflicts.js";
import { tryAgain } from "../state/connection.js";
import { refresh } from "../state/live.js";
import { drop, items, replica, retry } from "../state/outbox.js";
import { addressOf } from "../state/photos.js";
import { conflicts, isSignInLater, nextVersion, statuses } from "../state/status.js";
import { isUpload } from "../state/sync/queue.js";
import { useState } from "../vendor/hooks.js";
import { refusedPhoto } from "../words/orders.js";
import { explained } from "../words/problems.js";
import { words, wordsLanguage } from "../words/words.js";
import { actionButton } from "./action-button.js";
import { conflictChoice } from "./bound-fields.js";
import { valueText } from "./field-values.js";
import { notice } from "./notice.js";
import { sheet } from "./sheet.js";
import { b, component, div, img, li, p, span, ul } from "./tags.js";
// Waiting changes: what there is to know of storing and sending, with what can be done about it, and each change that was
// not sent yet, with its conflicts and a way to send it again or to discard it.

/** @typedef {typeof items.value[number]} Item */
/** @typedef {import("../state/status.js").Status} Status */

/** @param {{ onClose: () => void }} props */
export function part({ onClose }) {
  const { connection } = words.value.common;
  const isWaiting = items.value.length > 0;
  return sheet(
    { title: isWaiting ? connection.waitingTitle : connection.title, onClose },
    statuses.value.length === 0 && !isWaiting && p({}, connection.allSent),
    ...statuses.value.map((status) => known(status, onClose)),
    ul({ class: "stack" }, ...items.value.map(change)),
  );
}

function again() {
  tryAgain();
  void refresh();
}

/** What the person can do about it, besides deciding about single changes. @type {Record<Status["name"], (() => void) | null>} */
const remedies = {
  notStored: tryAgain,
  refused: null,
  conflict: null,
  expired: () => void (isSignInLater.value = false),
  serverAway: again,
  offline: again,
  waiting: again,
  update: () => nextVersion.peek()?.(),
};

/** @param {Status} status @param {() => void} onClose */
function known({ name }, onClose) {
  const { status } = errorWords.value;
  const { buttons } = words.value.common;
  const remedy = remedies[name];
  if (!remedy) return notice({ kind: "warning", text: status[name] });
  const isLeft = name === "expired" || name === "update";
  const label = isLeft ? buttons[name === "expired" ? "signIn" : "reload"] : buttons.retry;
  const act = () => {
    remedy();
    if (isLeft) onClose();
  };
  return notice({ kind: "warning", text: status[name], action: { label, onClick: act } });
}

/** @param {Item} item */
function change(item) {
  const { buttons } = words.value.common;
  const { problem } = item;
  return li(
    { key: item.key, class: problem ? "notice alarm" : "notice" },
    div(
      { class: "row" },
      isUpload(item) && img({ class: "photo-small", src: addressOf(item), alt: "" }),
      b({}, nameOf(item)),
      span({ class: "quiet-text" }, ago(item.madeAt, Date.now(), wordsLanguage.value)),
    ),
    problem && p({}, isUpload(item) ? refusedPhoto(problem) : explained(problem)),
    ...conflicts.value.filter((found) => found.item.key === item.key).map(({ field }) =>
      conflictChoice({
        objectId: item.objectId,
        part: partOf(item),
        field,
        name: fieldName(item.kind, field),
      })
    ),
    div(
      { class: "row" },
      problem && !(isUpload(item) && problem.status === 404) &&
        actionButton({ label: buttons.retry, about: nameOf(item), onClick: () => retry(item.key) }),
      component(Discard, { about: nameOf(item), onDiscard: () => drop(item.key) }),
    ),
  );
}

/** What the change is about, in the person's own words where there are some. @param {Item} item */
function nameOf(item) {
  const { title, name, status, line, tile, fields } = item.args;
  const { common } = words.value;
  const own = title ?? name ?? line?.label ?? tile?.label ??
    Object.entries(fields ?? {}).map(([field, value]) => valueText(item, field, value)).find(Boolean);
  const about = aboutOf(item);
  const what = status
    ? common.orderStatus[/** @type {"todo"} */ (status)]
    : own === undefined || own === about
    ? ""
    : String(own).slice(0, 80);
  return what ? `${about}: ${what}` : about;
}

/** The title, name or number of the object; of what is kept of an order or estimate apart, what it is, and of which. @param {Item} item */
function aboutOf(item) {
  const kind = errorWords.value.kinds[item.kind];
  const own = titleIn(item.kind, item.objectId);
  const of = (/** @type {"order" | "estimate"} */ whole) =>
    KINDS[whole].parts?.includes(item.kind) && titleIn(whole, item.objectId);
  const whole = of("order") || of("estimate");
  return whole ? `${kind} · ${whole}` : own || kind;
}

/** @param {import("../domain/kinds.js").Kind} kind @param {string} id */
function titleIn(kind, id) {
  const known = /** @type {any} */ (replica.views)[kind]?.peek().get(id);
  return known?.title ?? known?.name ?? known?.number;
}

/** @param {{ about: string, onDiscard: () => void }} props */
export function Discard({ about, onDiscard }) {
  const [isSure, setSure] = useState(false);
  const { buttons } = words.value.common;
  return actionButton({
    label: isSure ? buttons.dropNow : buttons.drop,
    about,
    kind: isSure ? "danger" : "quiet",
    isFinal: isSure,
    onClick: () => isSure ? onDiscard() : setSure(true),
  });
}
