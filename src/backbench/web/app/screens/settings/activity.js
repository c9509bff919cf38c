// Activity: the audit trail in plain words: what, who, when, and the way to it.

import { notYet, useAnswer } from "../../components/answer.js";
import { problemNotice, settingsFrame } from "./kit.js";
import { request } from "../../api/client.js";
import { pageOf, rowsFrom } from "../../api/lists.js";
import { isGone } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { a, b, component, div, h2, icon, p, section, time } from "../../components/tags.js";
import { date, time as timeOfDay } from "../../domain/format.js";
import { orders } from "../../state/orders.js";
import { loadSummaries, summaries } from "../../state/summaries.js";
import { ownUid, workshop, workshopId } from "../../state/workshops.js";
import { useEffect } from "../../vendor/hooks.js";
import { shopWords } from "../../words/shop.js";
import { words, wordsLanguage } from "../../words/words.js";

/** @typedef {import("../../api/lists.js").Rows<Api.AuditEntry>} Trail */

const PAGE = 50;

export function screen() {
  const answered = useAnswer((shown) => newest(shown?.rows.length ?? 0), workshopId.value);
  useEffect(() => void loadSummaries({}), []);
  const text = shopWords.value.activity;
  const isRefused = answered.problem !== null && isGone(answered.problem);
  return settingsFrame(
    { title: text.title },
    p({ class: "quiet-text" }, isRefused ? text.ownersOnly : text.intro),
    !isRefused && notYet(answered),
    answered.data && component(Entries, { trail: answered.data, show: answered.show }),
  );
}

/** @param {import("../../api/lists.js").PageQuery} query @returns {Promise<Trail>} */
const page = (query) =>
  pageOf(request("GET /workshops/{workshopId}/audit", { workshopId: workshopId.value, ...query }), "entries");

/** At least as many as are shown. @param {number} shown */
const newest = (shown) => rowsFrom(page, () => Math.max(PAGE, shown));

/** @param {{ trail: Trail, show: (trail: Trail) => void }} props */
function Entries({ trail, show }) {
  const { busy, problem, run } = useCommand();
  const { rows, next } = trail;
  const more = () =>
    void run(async () => {
      if (!next) return;
      const found = await page({ limit: PAGE, cursor: next });
      show({ rows: [...rows, ...found.rows], next: found.next });
    });
  if (rows.length === 0) return p({}, shopWords.value.activity.empty);
  return section(
    { class: "stack" },
    ...days(rows).map(([day, ofDay]) =>
      section(
        { class: "stack", key: day },
        h2({}, day),
        section({ class: "things" }, ...ofDay.map((entry) => component(EntryRow, { entry, key: entry.id }))),
      )
    ),
    problemNotice(problem),
    next && actionButton({ label: words.value.common.buttons.showMore, busy, onClick: more }),
  );
}

/** The entries of each day of the calendar, newest first. @param {Api.AuditEntry[]} entries @returns {[string, Api.AuditEntry[]][]} */
function days(entries) {
  /** @type {Map<string, Api.AuditEntry[]>} */
  const found = new Map();
  for (const entry of entries) {
    const day = date(entry.at, wordsLanguage.value);
    found.set(day, [...(found.get(day) ?? []), entry]);
  }
  return [...found];
}

// Row of an audit entry: what was done to what, by whom, when.

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
function EntryRow({ entry }) {
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
