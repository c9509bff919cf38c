// API keys: what programs may do for the account. The secret of a new key is shown once.

import { call } from "../../api/client.js";
import { selectField, toggle } from "../../components/controls.js";
import { details, div, fieldset, icon, legend, li, p, span, summary, ul } from "../../components/tags.js";
import { ago, shortDate } from "../../domain/format.js";
import { SCOPE_AREAS, TOGETHER } from "../../domain/scopes.js";
import { workshopId, workshops } from "../../state/workshops.js";
import { shopWords } from "../../words/shop.js";
import { words, wordsLanguage } from "../../words/words.js";
import { issuedList, secretField } from "./issued.js";
import { atField, settingsFrame } from "./kit.js";

/** @typedef {Api.ApiKey["scopes"][number]} Scope */
/** `now` is when the sheet was opened: the same request again has the same expiry. @typedef {{ name: string, scopes: Scope[], workshopId: string, expiry: keyof typeof DAYS, now: number }} Draft */

const DAYS = /** @type {const} */ ({ month: 30, year: 365, never: 0 });
const DAY = 86_400_000;
const keyWords = () => shopWords.value.keys;

/** @type {import("./issued.js").Issued<Draft, Api.NewApiKey, Api.ApiKeyWithSecret, Api.ApiKey>} */
export const KEY = {
  intent: "key",
  text: keyWords,
  picture: "🔑",
  all: async () => (await call("GET /me/api-keys")).apiKeys,
  row: (key) => {
    const facts = [`${key.prefix}… · ${usage(key)}`, !key.revokedAt && workshopOf(key)];
    const more = !key.revokedAt && scopeSummary(key.scopes);
    return { icon: "key-round", name: key.name, facts, more, isOver: !!key.revokedAt };
  },
  first: () => ({
    name: "",
    scopes: ["orders:read"],
    workshopId: workshopId.peek(),
    expiry: "year",
    now: Date.now(),
  }),
  fields: (field, { scopes, workshopId }, change, problem) => [
    field.text("name", { maxLength: 250 }),
    fieldset(
      { class: "choice" },
      legend({ class: "label" }, keyWords().scopes),
      scopeFolds(scopes, (scopes) => change({ scopes })),
      atField(problem, "/scopes") && p({ class: "field-problem", role: "alert" }, keyWords().scopesMissing),
    ),
    workshops.value.length > 0 && selectField({
      label: keyWords().workshop,
      value: workshopId,
      options: [
        ...workshops.value.map(({ id, name }) => ({ value: id, label: name })),
        { value: "", label: keyWords().everyWorkshop },
      ],
      onChange: (workshopId) => change({ workshopId }),
    }),
    field.choice("expiry", keyWords().expiries),
  ],
  body: ({ name, scopes, workshopId, expiry, now }) => ({
    name,
    scopes,
    ...(workshopId ? { workshopId } : {}),
    ...(DAYS[expiry] ? { expiresAt: new Date(now + DAYS[expiry] * DAY).toISOString() } : {}),
  }),
  create: (body, key) => call("POST /me/api-keys", {}, { body, key }),
  isAlike: ({ name, revokedAt }, body) => name === body.name && !revokedAt,
  remove: (keyId) => call("DELETE /me/api-keys/{keyId}", { keyId }),
  shown: ({ secret }) => [secretField({ label: keyWords().secret, secret, note: keyWords().secretOnce })],
};

export const screen = () => settingsFrame(keyWords(), issuedList(KEY));

/** @param {Api.ApiKey} key */
function usage({ lastUsedAt, expiresAt, revokedAt }) {
  const text = keyWords();
  const language = wordsLanguage.value;
  const used = lastUsedAt ? text.used(ago(lastUsedAt, Date.now(), language)) : text.unused;
  if (revokedAt) return words.value.common.dates.since(shortDate(revokedAt, language));
  if (!expiresAt) return used;
  const isOver = Date.parse(expiresAt) < Date.now();
  return `${used} · ${isOver ? text.expired : text.expires(shortDate(expiresAt, language))}`;
}

/** @param {Api.ApiKey} key */
const workshopOf = ({ workshopId }) =>
  workshopId ? workshops.value.find(({ id }) => id === workshopId)?.name ?? "" : keyWords().everyWorkshop;

// Scopes of a key: a switch for each, with all that it opens, folded by what they are about.

/** @typedef {typeof SCOPE_AREAS[Scope][number] | typeof TOGETHER[number]["areas"][number]} Area */
/** @typedef {keyof ReturnType<typeof keyWords>["scopeGroups"]} Group */

const SCOPES = /** @type {Scope[]} */ (Object.keys(SCOPE_AREAS));

/** @param {readonly Area[]} areas */
const areaList = (areas) => areas.map((area) => keyWords().scopeAreas[area]).join(", ");

/** A fold for each group of switches. @param {Scope[]} scopes @param {(scopes: Scope[]) => void} onChange */
function scopeFolds(scopes, onChange) {
  const groups = /** @type {Group[]} */ (Object.keys(keyWords().scopeGroups));
  return div({ class: "folds" }, ...groups.map((group) => fold(group, scopes, onChange)), together(scopes));
}

/** @param {Group} group @param {Scope[]} scopes @param {(scopes: Scope[]) => void} onChange */
function fold(group, scopes, onChange) {
  const text = keyWords();
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
  return areas.length > 0 && p({ class: "quiet-text" }, keyWords().together(areaList(areas)));
}

/** @param {readonly Scope[]} scopes @returns {Area[]} */
function openedTogether(scopes) {
  const opened = TOGETHER.filter(({ scopes: needed }) => needed.every((scope) => scopes.includes(scope)));
  const alone = new Set(scopes.flatMap((scope) => /** @type {readonly Area[]} */ (SCOPE_AREAS[scope] ?? [])));
  return [...new Set(opened.flatMap(({ areas }) => /** @type {readonly Area[]} */ (areas)))]
    .filter((area) => !alone.has(area));
}

/** What a key may do, folded: its scopes with all that they open. @param {readonly Scope[]} scopes */
function scopeSummary(scopes) {
  const text = keyWords();
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
