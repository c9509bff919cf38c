// New calendar: what it shows and of whom; then its address, once.

import { call } from "../../../../api/client.js";
import { actionButton } from "../../../../components/action-button.js";
import { choice } from "../../../../components/choice.js";
import { p } from "../../../../components/tags.js";
import { textField } from "../../../../components/text-field.js";
import { connectionsWords } from "../../../../words/connections.js";
import { workshopId } from "../../../../state/workshops.js";
import { draftSheet, secretSheet, useIssued } from "../../common/issued.js";
import { madeOnce, newest } from "../../common/made-once.js";
import { atField } from "../../common/problem-notice.js";
import { secretField } from "../../common/secret-field.js";

const SHOWS = /** @type {const} */ (["due", "estimates", "both"]);
const NAMES = /** @type {const} */ (["full", "initials", "none"]);

/** @param {{ onClose: () => void, onMade: () => void }} props */
export function NewCalendarSheet({ onClose, onMade }) {
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
