// Row of an audit entry: what was done to what, by whom, when.

import { a, b, div, icon, p, time } from "../../../components/tags.js";
import { time as timeOfDay } from "../../../domain/format.js";
import { wordsLanguage } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { orders } from "../../../state/orders.js";
import { summaries } from "../../../state/summaries.js";
import { ownUid, workshop } from "../../../state/workshops.js";

const ICONS = /** @type {Record<string, string>} */ ({
  order: "square-kanban",
  estimate: "receipt-text",
  decision: "signature",
  pdf: "file-text",
  handoff: "send",
  grid: "layout-grid",
  file: "image",
  workshop: "store",
  member: "users",
  invitation: "user-plus",
  plan: "wallet",
});

/** @param {{ entry: Api.AuditEntry, key?: string }} props */
export function EntryRow({ entry }) {
  const { actions, other } = shopWords.value.activity;
  const label = actions[/** @type {keyof typeof actions} */ (entry.action)] ?? other;
  const found = objectOf(entry);
  return div(
    { class: "thing" },
    icon(ICONS[entry.action.split(".")[0] ?? ""] ?? "info"),
    div(
      {},
      b({}, label),
      found && p({}, a({ class: "thing-link", href: found.href }, found.name)),
      p({ class: "quiet-text" }, who(entry)),
    ),
    time({ class: "quiet-text figures", dateTime: entry.at }, timeOfDay(entry.at, wordsLanguage.value)),
  );
}

/** The order or estimate, if it still is there. @param {Api.AuditEntry} entry */
function objectOf({ action, objectId }) {
  if (action.startsWith("order.")) {
    const order = orders.value.find(({ id }) => id === objectId);
    return order && { href: `/orders/${order.id}`, name: order.title };
  }
  const estimate = summaries.value.find(({ estimateId }) => estimateId === objectId);
  return estimate && { href: `/estimates/${estimate.estimateId}`, name: estimate.name };
}

/** @param {Api.AuditEntry} entry */
function who({ actorKind, actorUid }) {
  const text = shopWords.value.activity;
  if (actorKind !== "account" && actorKind !== "key") return text.actors[actorKind];
  const name = workshop.value?.members.find(({ id }) => id === actorUid)?.name;
  if (actorKind === "key") return name ? text.byKey(name) : text.actors.key;
  return actorUid === ownUid.value ? text.you : name ?? text.someone;
}
