// Activity: the audit trail in plain words: what, who, when, and the way to it.

import { listAuditEntries } from "../../api/workshops.js";
import { isGone } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { frame } from "../../components/frame.js";
import { component, h2, p, section } from "../../components/tags.js";
import { date } from "../../domain/format.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { shopWords } from "../../i18n/shop.js";
import { loadSummaries } from "../../state/summaries.js";
import { workshopId } from "../../state/workshops.js";
import { useEffect } from "../../vendor/hooks.js";
import { EntryRow } from "./activity/entry-row.js";
import { problemNotice } from "./common/problem-notice.js";
import { notYet, useAnswer } from "./common/use-answer.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").AuditEntry} AuditEntry */
/** @typedef {{ entries: AuditEntry[], next: string | undefined }} Trail */

const PAGE = 50;

export function screen() {
  const answered = useAnswer(() => page(), workshopId.value);
  useEffect(() => void loadSummaries({}), []);
  const text = shopWords.value.activity;
  const isRefused = answered.problem !== null && isGone(answered.problem);
  return frame(
    { title: text.title, place: "shop", back: "/shop" },
    p({ class: "quiet-text" }, isRefused ? text.ownersOnly : text.intro),
    !isRefused && notYet(answered),
    answered.data && component(Entries, { trail: answered.data, show: answered.show }),
  );
}

/** @param {string} [cursor] @returns {Promise<Trail>} */
async function page(cursor) {
  const { data, headers } = await listAuditEntries(workshopId.value, {
    limit: PAGE,
    ...(cursor ? { cursor } : {}),
  });
  const link = /<([^>]*)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];
  const next = link && new URL(link, location.origin).searchParams.get("cursor");
  return { entries: data.entries, next: next ?? undefined };
}

/** @param {{ trail: Trail, show: (trail: Trail) => void }} props */
function Entries({ trail, show }) {
  const { busy, problem, run } = useCommand();
  const { entries, next } = trail;
  const more = () =>
    void run(async () => {
      const found = await page(next);
      show({ entries: [...entries, ...found.entries], next: found.next });
    });
  if (entries.length === 0) return p({}, shopWords.value.activity.empty);
  return section(
    { class: "stack" },
    ...days(entries).map(([day, ofDay]) =>
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

/** The entries of each day of the calendar, newest first. @param {AuditEntry[]} entries @returns {[string, AuditEntry[]][]} */
function days(entries) {
  /** @type {Map<string, AuditEntry[]>} */
  const found = new Map();
  for (const entry of entries) {
    const day = date(entry.at, wordsLanguage.value);
    found.set(day, [...(found.get(day) ?? []), entry]);
  }
  return [...found];
}
