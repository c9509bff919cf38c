// Scopes of a key: a switch for each, with all that it opens, folded by what they are about.

import { details, div, icon, li, p, span, summary, ul } from "../../../components/tags.js";
import { toggle } from "../../../components/toggle.js";
import { SCOPE_AREAS, TOGETHER } from "../../../domain/scopes.js";
import { shopWords } from "../../../words/shop.js";

/** @typedef {import("../keys.js").Scope} Scope */
/** @typedef {typeof SCOPE_AREAS[Scope][number] | typeof TOGETHER[number]["areas"][number]} Area */
/** @typedef {keyof ReturnType<typeof words>["scopeGroups"]} Group */

const SCOPES = /** @type {Scope[]} */ (Object.keys(SCOPE_AREAS));

const words = () => shopWords.value.keys;

/** @param {readonly Area[]} areas */
const areaList = (areas) => areas.map((area) => words().scopeAreas[area]).join(", ");

/** A fold for each group of switches. @param {Scope[]} scopes @param {(scopes: Scope[]) => void} onChange */
export function scopeFolds(scopes, onChange) {
  const groups = /** @type {Group[]} */ (Object.keys(words().scopeGroups));
  return div({ class: "folds" }, ...groups.map((group) => fold(group, scopes, onChange)), together(scopes));
}

/** @param {Group} group @param {Scope[]} scopes @param {(scopes: Scope[]) => void} onChange */
function fold(group, scopes, onChange) {
  const text = words();
  const found = SCOPES.filter((scope) => scope.startsWith(`${group}:`));
  const count = found.filter((scope) => scopes.includes(scope)).length;
  const title = text.scopeGroups[group];
  return details(
    { key: group, open: group === "orders" },
    summary({}, icon("chevron-down"), count ? `${title} · ${count}` : title),
    ...found.map((scope) =>
      toggle({
        label: text.scopeNames[scope],
        help: areaList(SCOPE_AREAS[scope]),
        value: scopes.includes(scope),
        onChange: (on) => onChange(SCOPES.filter((each) => each === scope ? on : scopes.includes(each))),
      })
    ),
  );
}

/** What the chosen scopes open together. @param {readonly Scope[]} scopes */
function together(scopes) {
  const areas = openedTogether(scopes);
  return areas.length > 0 && p({ class: "quiet-text" }, words().together(areaList(areas)));
}

/** @param {readonly Scope[]} scopes @returns {Area[]} */
function openedTogether(scopes) {
  const opened = TOGETHER.filter(({ scopes: needed }) => needed.every((scope) => scopes.includes(scope)));
  const alone = new Set(scopes.flatMap((scope) => /** @type {readonly Area[]} */ (SCOPE_AREAS[scope] ?? [])));
  return [...new Set(opened.flatMap(({ areas }) => /** @type {readonly Area[]} */ (areas)))]
    .filter((area) => !alone.has(area));
}

/** What a key may do, folded: its scopes with all that they open. @param {readonly Scope[]} scopes */
export function scopeSummary(scopes) {
  const text = words();
  const groups = /** @type {Group[]} */ (Object.keys(text.scopeGroups));
  const named = groups.filter((group) => scopes.some((scope) => scope.startsWith(`${group}:`)));
  return details(
    { class: "folds" },
    summary({}, icon("chevron-down"), named.map((group) => text.scopeGroups[group]).join(" · ")),
    ul(
      { class: "scope-list" },
      ...SCOPES.filter((scope) => scopes.includes(scope)).map((scope) =>
        li(
          { key: scope },
          text.scopeNames[scope],
          span({ class: "quiet-text" }, areaList(SCOPE_AREAS[scope])),
        )
      ),
    ),
    together(scopes),
  );
}
