// Calendars: the feeds that this account has made, and a new one.

import { call } from "../../../api/client.js";
import { actionButton } from "../../../components/action-button.js";
import { choice } from "../../../components/choice.js";
import { emptyState } from "../../../components/notice.js";
import { b, component, div, icon, p } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { shortDate } from "../../../domain/format.js";
import { workshopId } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { connectionsWords } from "../../../words/connections.js";
import { words, wordsLanguage } from "../../../words/words.js";
import {
  atField,
  draftSheet,
  madeOnce,
  newest,
  notYet,
  secretField,
  secretSheet,
  useAnswer,
  useConfirmed,
  useIssued,
} from "../common/use-answer.js";
import { connectionFrame } from "./head.js";

export function screen() {
  const answered = useAnswer(
    () => call("GET /workshops/{workshopId}/calendars", { workshopId: workshopId.value }),
    workshopId.value,
  );
  const [open, setOpen] = useState(false);
  const text = connectionsWords.value.calendars;
  const calendars = answered.data?.calendars ?? [];
  const reload = () => void answered.reload();
  return connectionFrame(
    "calendars",
    p({ class: "quiet-text" }, text.intro),
    notYet(answered),
    answered.data && calendars.length === 0 && emptyState({ text: text.empty, picture: "📅" }),
    calendars.length > 0 && div(
      { class: "things" },
      ...calendars.map((calendar) =>
        component(CalendarRow, { calendar, key: calendar.id, onRevoked: reload })
      ),
    ),
    actionButton({ label: text.make, icon: "plus", kind: "main", onClick: () => setOpen(true) }),
    p({ class: "quiet-text" }, text.refresh),
    open && component(NewCalendarSheet, { onClose: () => setOpen(false), onMade: reload }),
  );
}

/** @param {{ calendar: Api.Calendar, onRevoked: () => void, key?: string }} props */
function CalendarRow({ calendar: { id, name, show, names, createdAt, by }, onRevoked }) {
  const text = connectionsWords.value.calendars;
  const { button } = useConfirmed({
    label: text.revoke,
    about: name,
    work: () => call("DELETE /calendars/{calendarId}", { calendarId: id }).then(onRevoked),
  });
  const since = words.value.common.dates.since(shortDate(createdAt, wordsLanguage.value));
  return div(
    { class: "thing" },
    icon("calendar"),
    div(
      {},
      b({}, name),
      p({ class: "quiet-text" }, `${text.shows[show]} · ${text.names}: ${text.namesOf[names]}`),
      p({ class: "quiet-text" }, by ? `${text.by(by)} · ${since}` : since),
    ),
    button,
  );
}

// New calendar: what it shows and of whom; then its address, once.

const SHOWS = /** @type {const} */ (["due", "estimates", "both"]);
const NAMES = /** @type {const} */ (["full", "initials", "none"]);

/** @param {{ onClose: () => void, onMade: () => void }} props */
function NewCalendarSheet({ onClose, onMade }) {
  const text = connectionsWords.value.calendars;
  const issued = useIssued(
    () => /** @type {Api.NewCalendar} */ ({ name: text.nameUsual, show: "due", names: "initials" }),
    (draft) => issue(workshopId.value, draft),
    onMade,
  );
  const { draft, change, secret: url, problem } = issued;
  if (!url) return draftSheet(text, onClose, issued, fields(draft, change, atField(problem, "/name")));
  // Programs that subscribe to calendars are registered for this scheme.
  const href = url.replace(/^https?:/, "webcal:");
  return secretSheet(
    text.addressTitle,
    onClose,
    secretField({ label: text.address, secret: url, note: text.addressOnce }),
    actionButton({ label: text.subscribe, icon: "calendar", href }),
  );
}

/** @param {string} id @param {Api.NewCalendar} draft @returns {Promise<string>} its address */
async function issue(id, draft) {
  const deleteLost = async () => {
    const lost = newest(
      (await call("GET /workshops/{workshopId}/calendars", { workshopId: id })).calendars,
      ({ name }) => name === draft.name,
    );
    if (lost) await call("DELETE /calendars/{calendarId}", { calendarId: lost.id });
  };
  return (await madeOnce(
    ["calendar", id, draft],
    (key) => call("POST /workshops/{workshopId}/calendars", { workshopId: id }, { body: draft, key }),
    deleteLost,
  ))
    .url;
}

/** @param {Api.NewCalendar} draft @param {(changed: Partial<Api.NewCalendar>) => void} change @param {string | undefined} atName */
function fields(draft, change, atName) {
  const text = connectionsWords.value.calendars;
  return [
    textField({
      label: text.name,
      value: draft.name,
      maxLength: 250,
      onInput: (name) => change({ name }),
      ...(atName ? { problem: atName } : {}),
    }),
    choice({
      label: text.show,
      value: draft.show,
      options: SHOWS.map((value) => ({ value, label: text.shows[value] })),
      onChange: (show) => change({ show }),
    }),
    choice({
      label: text.names,
      value: draft.names,
      options: NAMES.map((value) => ({ value, label: text.namesOf[value] })),
      onChange: (names) => change({ names }),
    }),
    p({ class: "quiet-text" }, text.namesHelp),
  ];
}
