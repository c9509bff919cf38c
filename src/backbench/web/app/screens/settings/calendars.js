// Calendars: feeds of due days that calendar programs subscribe to. The address of a new one is shown once.

import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { shortDate } from "../../domain/format.js";
import { inWorkshop } from "../../state/workshops.js";
import { connectionsWords } from "../../words/connections.js";
import { words, wordsLanguage } from "../../words/words.js";
import { issuedList, secretField } from "./issued.js";
import { connectionFrame, quiet } from "./kit.js";

const text = () => connectionsWords.value.calendars;

/** @type {import("./issued.js").Issued<Api.NewCalendar, Api.NewCalendar, Api.CalendarWithSecret, Api.Calendar>} */
const CALENDAR = {
  intent: "calendar",
  text,
  picture: "📅",
  all: async () => (await call("GET /workshops/{workshopId}/calendars", inWorkshop())).calendars,
  row: ({ name, show, names, createdAt, by }) => {
    const since = words.value.common.dates.since(shortDate(createdAt, wordsLanguage.value));
    const shows = `${text().shows[show]} · ${text().names}: ${text().namesOf[names]}`;
    return { icon: "calendar", name, facts: [shows, by ? `${text().by(by)} · ${since}` : since] };
  },
  first: () => ({ name: text().nameUsual, show: "due", names: "initials" }),
  fields: (field) => [
    field.text("name", { maxLength: 250 }),
    field.choice("show", text().shows),
    field.choice("names", text().namesOf),
    quiet(text().namesHelp),
  ],
  create: (body, key) => call("POST /workshops/{workshopId}/calendars", inWorkshop(), { body, key }),
  isAlike: ({ name }, body) => name === body.name,
  remove: (calendarId) => call("DELETE /calendars/{calendarId}", { calendarId }),
  shown: ({ url }) => [
    secretField({ label: text().address, secret: url, note: text().addressOnce }),
    // Programs that subscribe to calendars are registered for this scheme.
    actionButton({ label: text().subscribe, icon: "calendar", href: url.replace(/^https?:/, "webcal:") }),
  ],
};

export const screen = () =>
  connectionFrame("calendars", quiet(text().intro), issuedList(CALENDAR), quiet(text().refresh));
