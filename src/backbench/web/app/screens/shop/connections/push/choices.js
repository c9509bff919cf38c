// Choices: what this device hears of, and how much a message says.

import { div, fieldset, legend } from "../../../../components/tags.js";
import { toggle } from "../../../../components/toggle.js";
import { connectionsWords } from "../../../../words/connections.js";
import { inboxWords } from "../../../../words/inbox.js";

/** @typedef {import("../../../../state/push.js").Choices} Choices */
/** @typedef {import("../../../../state/push.js").Kind} Kind */

/** What a client does. @type {readonly Kind[]} */
const AT_ONCE = ["question", "accepted", "declined"];
/** @type {readonly Kind[]} */
const MORNING = [
  "due_today",
  "overdue",
  "unanswered",
  "expiring",
  "uncollected",
  "owed",
  "unsent",
  "changed",
  "over_limit",
];

/** @param {{ wanted: Choices, disabled: boolean, onChange: (changed: Partial<Choices>) => void }} props */
export function choices({ wanted, disabled, onChange }) {
  const text = connectionsWords.value.push;
  const set = (/** @type {Kind} */ kind, /** @type {boolean} */ on) =>
    onChange({ kinds: on ? [...wanted.kinds, kind] : wanted.kinds.filter((each) => each !== kind) });
  return div(
    { class: "panel" },
    group(text.atOnce, AT_ONCE, { wanted, disabled, set }),
    group(text.morning, MORNING, { wanted, disabled, set }),
    toggle({
      label: text.details,
      help: text.detailsHelp,
      value: wanted.details,
      disabled,
      onChange: (details) => onChange({ details }),
    }),
  );
}

/** @param {string} label @param {readonly Kind[]} kinds @param {{ wanted: Choices, disabled: boolean, set: (kind: Kind, on: boolean) => void }} state */
const group = (label, kinds, { wanted, disabled, set }) =>
  fieldset(
    { class: "choice" },
    legend({ class: "label" }, label),
    ...kinds.map((kind) =>
      toggle({
        label: inboxWords.value.kinds[kind],
        value: wanted.kinds.includes(kind),
        disabled,
        onChange: (on) => set(kind, on),
      })
    ),
  );
