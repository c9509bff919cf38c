// Waiting changes: each change that was not sent yet, with a way to send it again or to discard it.

import { ago } from "../domain/format.js";
import { explained } from "../i18n/problems.js";
import { words, wordsLanguage } from "../i18n/index.js";
import { connection, tryAgain } from "../state/connection.js";
import { drop, items, replica as records, retry } from "../state/outbox.js";
import { useState } from "../vendor/hooks.js";
import { actionButton } from "./action-button.js";
import { sheet } from "./sheet.js";
import { b, component, div, li, p, span, ul } from "./tags.js";

/** @typedef {typeof items.value[number]} Item */

/** @param {{ onClose: () => void }} props */
export function part({ onClose }) {
  const { common } = words.value;
  const { refused, online } = connection.value;
  return sheet(
    { title: refused ? common.connection.refusedTitle : common.connection.waitingTitle, onClose },
    items.value.length === 0 && p({}, common.connection.allSent),
    ul({ class: "stack" }, ...items.value.map(change)),
    !online &&
      actionButton({ label: common.buttons.retry, icon: "refresh-cw", onClick: () => void tryAgain() }),
  );
}

/** @param {Item} item */
function change(item) {
  const { buttons } = words.value.common;
  return li(
    { key: item.key, class: item.problem ? "notice alarm" : "notice" },
    div(
      { class: "row" },
      b({}, nameOf(item)),
      span({ class: "quiet-text" }, ago(item.madeAt, Date.now(), wordsLanguage.value)),
    ),
    item.problem && p({}, explained(item.problem, words.value.common)),
    div(
      { class: "row" },
      item.problem &&
        actionButton({ label: buttons.retry, about: nameOf(item), onClick: () => retry(item.key) }),
      component(Discard, { item }),
    ),
  );
}

/** Asked twice: what is discarded cannot be taken back. @param {{ item: Item }} props */
function Discard({ item }) {
  const [isSure, setSure] = useState(false);
  const { buttons } = words.value.common;
  return actionButton({
    label: isSure ? buttons.dropNow : buttons.drop,
    about: nameOf(item),
    kind: isSure ? "danger" : "quiet",
    onClick: () => isSure ? drop(item.key) : setSure(true),
  });
}

/** What the change is about, in the person's own words where there are some. @param {Item} item */
function nameOf(item) {
  const { title, name, status, line, tile, fields } = item.args;
  const { common } = words.value;
  const own = title ?? name ?? line?.label ?? tile?.label ??
    Object.values(fields ?? {}).find((value) => value !== null);
  const known = records.views[item.kind].peek().get(item.objectId);
  const about = known && ("title" in known ? known.title : known.name);
  const what = status
    ? common.movedTo(common.orderStatus[/** @type {"todo"} */ (status)])
    : own === undefined || own === about
    ? common.kinds[item.kind]
    : String(own).slice(0, 80);
  return about ? `${about}: ${what}` : what;
}
