// API keys: what programs may do for the account. The secret of a new key is shown once.

import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { choice, selectField, toggle } from "../../components/choice.js";
import { emptyState } from "../../components/notice.js";
import { frame } from "../../components/frame.js";
import {
  b,
  component,
  details,
  div,
  fieldset,
  h2,
  icon,
  legend,
  li,
  p,
  section,
  span,
  summary,
  ul,
} from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { ago, shortDate } from "../../domain/format.js";
import { SCOPE_AREAS, TOGETHER } from "../../domain/scopes.js";
import { workshopId, workshops } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { shopWords } from "../../words/shop.js";
import { words, wordsLanguage } from "../../words/words.js";
import {
  atField,
  draftSheet,
  makeApiKey,
  notYet,
  secretField,
  secretSheet,
  useAnswer,
  useConfirmed,
  useIssued,
} from "./common/use-answer.js";

/** @typedef {Api.ApiKey["scopes"][number]} Scope */

export function screen() {
  const answered = useAnswer(() => call("GET /me/api-keys"));
  const [open, setOpen] = useState(false);
  const text = shopWords.value.keys;
  const keys = answered.data?.apiKeys ?? [];
  const valid = keys.filter(({ revokedAt }) => !revokedAt);
  const revoked = keys.filter(({ revokedAt }) => revokedAt);
  return frame(
    { title: text.title, place: "shop", back: "/shop" },
    p({ class: "quiet-text" }, text.intro),
    notYet(answered),
    answered.data && valid.length === 0 && emptyState({ text: text.empty, picture: "🔑" }),
    list(valid),
    actionButton({ label: text.make, icon: "plus", kind: "main", onClick: () => setOpen(true) }),
    revoked.length > 0 && section({ class: "stack" }, h2({}, text.revokedKeys), list(revoked)),
    open && component(NewKeySheet, { onClose: () => setOpen(false), onMade: () => void answered.reload() }),
  );
}

/** @param {Api.ApiKey[]} keys */
const list = (keys) =>
  keys.length > 0 &&
  div({ class: "things" }, ...keys.map((apiKey) => component(KeyRow, { apiKey, key: apiKey.id })));

/** @param {{ apiKey: Api.ApiKey, key?: string }} props */
function KeyRow({ apiKey }) {
  const { id, name, scopes, revokedAt } = apiKey;
  const text = shopWords.value.keys;
  const { isDone, button } = useConfirmed({
    label: text.revoke,
    about: name,
    work: () => call("DELETE /me/api-keys/{keyId}", { keyId: id }),
  });
  if (isDone) return null;
  return div(
    { class: "thing" },
    icon("key-round"),
    div(
      {},
      b({}, name),
      p({ class: "quiet-text" }, `${apiKey.prefix}… · ${usage(apiKey)}`),
      !revokedAt && p({ class: "quiet-text" }, workshopOf(apiKey)),
    ),
    !revokedAt && button,
    !revokedAt && scopeSummary(scopes),
  );
}

/** @param {Api.ApiKey} key */
function usage({ lastUsedAt, expiresAt, revokedAt }) {
  const text = shopWords.value.keys;
  const language = wordsLanguage.value;
  const used = lastUsedAt ? text.used(ago(lastUsedAt, Date.now(), language)) : text.unused;
  if (revokedAt) return words.value.common.dates.since(shortDate(revokedAt, language));
  if (!expiresAt) return used;
  const isOver = Date.parse(expiresAt) < Date.now();
  return `${used} · ${isOver ? text.expired : text.expires(shortDate(expiresAt, language))}`;
}

/** @param {Api.ApiKey} key */
function workshopOf({ workshopId }) {
  const text = shopWords.value.keys;
  if (!workshopId) return text.everyWorkshop;
  return workshops.value.find(({ id }) => id === workshopId)?.name ?? "";
}

// New API key: name, what it may do, where and how long; then its secret, once.

/** `now` is when the sheet was opened: the same request again has the same expiry. @typedef {{ name: string, scopes: Scope[], workshopId: string, expiry: keyof typeof DAYS, now: number }} Draft */
/** @typedef {import("../../api/problems.js").Problem} Problem */

const DAYS = /** @type {const} */ ({ month: 30, year: 365, never: 0 });
const DAY = 86_400_000;

/** @param {{ onClose: () => void, onMade: () => void }} props */
function NewKeySheet({ onClose, onMade }) {
  const issued = useIssued(
    emptyDraft,
    async (draft) => (await makeApiKey(["key", draft], bodyOf(draft))).secret,
    onMade,
  );
  const text = shopWords.value.keys;
  const { draft, change, secret, problem } = issued;
  if (!secret) return draftSheet(text, onClose, issued, fields(draft, change, problem));
  return secretSheet(
    text.secretTitle,
    onClose,
    secretField({ label: text.secret, secret, note: text.secretOnce }),
  );
}

/** @returns {Draft} */
function emptyDraft() {
  return {
    name: "",
    scopes: ["orders:read"],
    workshopId: workshopId.peek(),
    expiry: "year",
    now: Date.now(),
  };
}

/** @param {Draft} draft */
function bodyOf({ name, scopes, workshopId, expiry, now }) {
  const days = DAYS[expiry];
  return {
    name,
    scopes,
    ...(workshopId ? { workshopId } : {}),
    ...(days ? { expiresAt: new Date(now + days * DAY).toISOString() } : {}),
  };
}

/** @param {Draft} draft @param {(fields: Partial<Draft>) => void} change @param {Problem | null} problem */
function fields(draft, change, problem) {
  const text = shopWords.value.keys;
  const atName = atField(problem, "/name");
  const everywhere = { value: "", label: text.everyWorkshop };
  return [
    textField({
      label: text.name,
      value: draft.name,
      maxLength: 250,
      onInput: (name) => change({ name }),
      ...(atName ? { problem: atName } : {}),
    }),
    scopeFields(draft.scopes, (scopes) => change({ scopes }), problem),
    workshops.value.length > 0 && selectField({
      label: text.workshop,
      value: draft.workshopId,
      options: [...workshops.value.map(({ id, name }) => ({ value: id, label: name })), everywhere],
      onChange: (workshopId) => change({ workshopId }),
    }),
    choice({
      label: text.expiry,
      value: draft.expiry,
      options: Object.entries(text.expiries).map(([value, label]) => ({ value, label })),
      onChange: (expiry) => change({ expiry: /** @type {Draft["expiry"]} */ (expiry) }),
    }),
  ];
}

/** @param {Scope[]} scopes @param {(scopes: Scope[]) => void} onChange @param {Problem | null} problem */
function scopeFields(scopes, onChange, problem) {
  const text = shopWords.value.keys;
  return fieldset(
    { class: "choice" },
    legend({ class: "label" }, text.scopes),
    scopeFolds(scopes, onChange),
    atField(problem, "/scopes") && p({ class: "field-problem", role: "alert" }, text.scopesMissing),
  );
}

// Scopes of a key: a switch for each, with all that it opens, folded by what they are about.

/** @typedef {typeof SCOPE_AREAS[Scope][number] | typeof TOGETHER[number]["areas"][number]} Area */
/** @typedef {keyof ReturnType<typeof keyWords>["scopeGroups"]} Group */

const SCOPES = /** @type {Scope[]} */ (Object.keys(SCOPE_AREAS));

const keyWords = () => shopWords.value.keys;

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
