// Calendar row: what a feed shows, and its end.

import { call } from "../../../../api/client.js";
import { b, div, icon, p } from "../../../../components/tags.js";
import { shortDate } from "../../../../domain/format.js";
import { connectionsWords } from "../../../../words/connections.js";
import { words, wordsLanguage } from "../../../../words/words.js";
import { useConfirmed } from "../../common/confirmed.js";

/** @param {{ calendar: Api.Calendar, onRevoked: () => void, key?: string }} props */
export function CalendarRow({ calendar: { id, name, show, names, createdAt, by }, onRevoked }) {
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
