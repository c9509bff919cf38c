// New API key: name, what it may do, where and how long; then its secret, once.

import { choice } from "../../../components/choice.js";
import { selectField } from "../../../components/select-field.js";
import { fieldset, legend, p } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { shopWords } from "../../../words/shop.js";
import { workshopId, workshops } from "../../../state/workshops.js";
import { makeApiKey } from "../common/api-key.js";
import { draftSheet, secretSheet, useIssued } from "../common/issued.js";
import { atField } from "../common/problem-notice.js";
import { secretField } from "../common/secret-field.js";
import { scopeFolds } from "./scopes.js";

/** @typedef {import("../keys.js").Scope} Scope */
/** `now` is when the sheet was opened: the same request again has the same expiry. @typedef {{ name: string, scopes: Scope[], workshopId: string, expiry: keyof typeof DAYS, now: number }} Draft */
/** @typedef {import("../../../api/problems.js").Problem} Problem */

const DAYS = /** @type {const} */ ({ month: 30, year: 365, never: 0 });
const DAY = 86_400_000;

/** @param {{ onClose: () => void, onMade: () => void }} props */
export function NewKeySheet({ onClose, onMade }) {
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
