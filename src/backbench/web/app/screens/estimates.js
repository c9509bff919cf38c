// Estimates: all of the workshop's, found by name, client, number or state.

import { actionButton } from "../components/action-button.js";
import { emptyState } from "../components/empty-state.js";
import { frame } from "../components/frame.js";
import { isDesk } from "../components/media.js";
import { needsConnection } from "../components/needs-connection.js";
import { component, div, p } from "../components/tags.js";
import { selectField } from "../components/select-field.js";
import { textField } from "../components/text-field.js";
import { isProblem } from "../api/problems.js";
import { matches } from "../domain/search.js";
import { estimateWords } from "../words/estimates.js";
import { words } from "../words/words.js";
import { go } from "../state/router.js";
import { hasMore, hasSummaries, loadMore, loadSummaries, summaries } from "../state/summaries.js";
import { useEffect, useRef, useState } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { EstimateTicket } from "./estimates/estimate-ticket.js";
import { MoreSheet } from "./estimates/more-sheet.js";
import { stageOf, STAGES } from "./estimates/progress.js";

/** @typedef {"all" | import("./estimates/progress.js").Stage} Wanted */

/** The stages that the server can filter by; the others are found in what is loaded. @type {readonly string[]} */
const STATES = ["draft", "confirmed", "changed"];

/** What was looked for last: coming back from an estimate leads to it. */
const query = signal("");
const wanted = signal(/** @type {Wanted} */ ("all"));
const PAUSE = 300;
/** So many of the wanted ones fill the screen; a page of those among which they are looked for. */
const ENOUGH = 20;
const LARGE = 500;
/** Below this many estimates everything is seen at a glance. */
const SEARCHED = 5;

export function screen() {
  const text = estimateWords.value;
  useSearch();
  const [more, setMore] = useState("");
  const found = summaries.value.filter(isWanted);
  useOlder(found.length);
  const chosen = found.find(({ estimateId }) => estimateId === more);
  return frame(
    { title: text.title, place: "estimates", wide: isDesk.value, bare: !isDesk.value },
    isSearched() && search(),
    found.length === 0 ? nothing() : div(
      { class: "tickets estimate-list" },
      ...found.map((summary) =>
        component(EstimateTicket, { key: summary.estimateId, summary, onMore: setMore })
      ),
    ),
    component(Older, {}),
    chosen && component(MoreSheet, { summary: chosen, onClose: () => setMore("") }),
  );
}

function isSearched() {
  return query.value !== "" || wanted.value !== "all" || summaries.value.length > SEARCHED;
}

/** Asks the server once typing pauses. */
function useSearch() {
  const isFirst = useRef(true);
  const [q, state] = [query.value.trim(), wanted.value];
  useEffect(() => {
    const load = () =>
      void loadSummaries({
        ...(q && { q }),
        ...(STATES.includes(state) && { state: /** @type {any} */ (state) }),
      })
        .catch(reportUnknown);
    const pause = isFirst.current ? 0 : PAUSE;
    isFirst.current = false;
    const timer = setTimeout(load, pause);
    return () => clearTimeout(timer);
  }, [q, state]);
  // Other screens show the whole list.
  useEffect(() => () => {
    if (query.peek() || wanted.peek() !== "all") void loadSummaries().catch(reportUnknown);
  }, []);
}

/** What only the app can tell of an estimate is looked for among the older ones, too. @param {number} found */
function useOlder(found) {
  const isLookedFor = !["all", ...STATES].includes(wanted.value) && hasMore.value && found < ENOUGH;
  const loaded = summaries.value.length;
  useEffect(() => {
    if (isLookedFor) void loadMore(LARGE).catch(reportUnknown);
  }, [isLookedFor, loaded]);
}

/** Problems are shown by the sign of the connection. @param {unknown} error */
function reportUnknown(error) {
  if (!isProblem(error)) reportError(error);
}

/** @param {Api.EstimateSummary} summary */
function isWanted(summary) {
  const { name, recipientName, number } = summary;
  return (wanted.value === "all" || stageOf(summary, Date.now()) === wanted.value) &&
    matches(query.value, name, recipientName, number);
}

function search() {
  const text = estimateWords.value;
  const { estimateStages } = words.value.common;
  return div(
    { class: "estimate-search" },
    textField({
      label: text.search,
      bare: true,
      placeholder: words.value.common.search,
      type: "search",
      value: query.value,
      onInput: (value) => (query.value = value),
    }),
    selectField({
      label: text.filter,
      bare: true,
      value: wanted.value,
      options: [
        { value: "all", label: text.all },
        ...STAGES.map((value) => ({ value, label: estimateStages[value] })),
      ],
      onChange: (value) => (wanted.value = /** @type {Wanted} */ (value)),
    }),
  );
}

function nothing() {
  const text = estimateWords.value;
  if (!hasSummaries.value) {
    return div(
      { class: "late stack" },
      p({ class: "quiet-text" }, words.value.common.loading),
      needsConnection(),
    );
  }
  if (query.value) return p({ class: "quiet-text" }, text.nothingFound(query.value));
  if (wanted.value !== "all") return p({ class: "quiet-text" }, text.noneOfState);
  return emptyState({
    text: text.empty,
    action: { label: text.first, icon: "plus", onClick: () => go("/estimates/new") },
  });
}

/** Older estimates, where there are more. */
function Older() {
  const [isBusy, setBusy] = useState(false);
  if (!hasMore.value) return null;
  const load = () => {
    setBusy(true);
    loadMore().catch(reportUnknown).finally(() => setBusy(false));
  };
  return actionButton({ label: estimateWords.value.loadMore, kind: "quiet", busy: isBusy, onClick: load });
}
