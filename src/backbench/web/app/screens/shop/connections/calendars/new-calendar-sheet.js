// New calendar: what it shows and of whom; then its address, once.

import { createCalendar, deleteCalendar, listCalendars } from "../../../../api/calendars.js";
import { actionButton } from "../../../../components/action-button.js";
import { choice } from "../../../../components/choice.js";
import { useCommand } from "../../../../components/command.js";
import { needsConnection } from "../../../../components/needs-connection.js";
import { sheet } from "../../../../components/sheet.js";
import { p } from "../../../../components/tags.js";
import { textField } from "../../../../components/text-field.js";
import { connectionsWords } from "../../../../i18n/connections.js";
import { words } from "../../../../i18n/index.js";
import { workshopId } from "../../../../state/workshops.js";
import { useState } from "../../../../vendor/hooks.js";
import { madeOnce, newest } from "../../common/made-once.js";
import { atField, problemNotice } from "../../common/problem-notice.js";
import { secretField } from "../../common/secret-field.js";

/** @typedef {import("../../../../../../../../types/shapes.d.ts").NewCalendar} Draft */

const SHOWS = /** @type {const} */ (["due", "estimates", "both"]);
const NAMES = /** @type {const} */ (["full", "initials", "none"]);

/** @param {{ onClose: () => void, onMade: () => void }} props */
export function NewCalendarSheet({ onClose, onMade }) {
  const text = connectionsWords().calendars;
  const [draft, setDraft] = useState(
    /** @type {Draft} */ ({ name: text.nameUsual, show: "due", names: "initials" }),
  );
  const [url, setUrl] = useState("");
  const { busy, problem, run } = useCommand();
  const make = () =>
    void run(async () => {
      setUrl(await issue(workshopId.value, draft));
      onMade();
    });
  if (url) return madeSheet(url, onClose);
  return sheet(
    {
      title: text.make,
      onClose,
      foot: actionButton({ label: text.create, kind: "main", busy, onClick: make }),
    },
    needsConnection(),
    ...fields(draft, (changed) => setDraft((known) => ({ ...known, ...changed })), atField(problem, "/name")),
    problem?.code === "validation_error" ? null : problemNotice(problem),
  );
}

/** @param {string} id @param {Draft} draft @returns {Promise<string>} its address */
async function issue(id, draft) {
  const deleteLost = async () => {
    const lost = newest((await listCalendars(id)).calendars, ({ name }) => name === draft.name);
    if (lost) await deleteCalendar(lost.id);
  };
  return (await madeOnce(["calendar", id, draft], (key) => createCalendar(id, draft, { key }), deleteLost))
    .url;
}

/** @param {string} url @param {() => void} onClose */
function madeSheet(url, onClose) {
  const text = connectionsWords().calendars;
  const foot = actionButton({ label: words.value.common.buttons.done, onClick: onClose });
  // Programs that subscribe to calendars are registered for this scheme.
  const href = url.replace(/^https?:/, "webcal:");
  return sheet(
    { title: text.addressTitle, onClose, foot },
    secretField({ label: text.address, secret: url, note: text.addressOnce }),
    actionButton({ label: text.subscribe, icon: "calendar", href }),
  );
}

/** @param {Draft} draft @param {(changed: Partial<Draft>) => void} change @param {string | undefined} atName */
function fields(draft, change, atName) {
  const text = connectionsWords().calendars;
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
