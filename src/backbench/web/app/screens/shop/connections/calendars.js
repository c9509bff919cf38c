// Calendars: the feeds that this account has made, and a new one.

import { call } from "../../../api/client.js";
import { actionButton } from "../../../components/action-button.js";
import { emptyState } from "../../../components/empty-state.js";
import { component, div, p } from "../../../components/tags.js";
import { connectionsWords } from "../../../words/connections.js";
import { workshopId } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { notYet, useAnswer } from "../common/use-answer.js";
import { CalendarRow } from "./calendars/calendar-row.js";
import { NewCalendarSheet } from "./calendars/new-calendar-sheet.js";
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
