// Calendars: feeds of due days that calendar programs subscribe to.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").AddedCalendar} AddedCalendar */
/** @typedef {import("../../../../../types/shapes.d.ts").Calendar} Calendar */
/** @typedef {import("../../../../../types/shapes.d.ts").CalendarsList} CalendarsList */
/** @typedef {import("../../../../../types/shapes.d.ts").NewCalendar} NewCalendar */

/** @param {string} workshopId @returns {Promise<CalendarsList>} */
export async function listCalendars(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/calendars`)).data;
}

/**
 * @param {string} workshopId
 * @param {NewCalendar} body
 * @param {{key?: string}} [options]
 * @returns {Promise<AddedCalendar>}
 */
export async function createCalendar(workshopId, body, { key } = {}) {
  return (await send("POST", `/workshops/${workshopId}/calendars`, { body, key })).data;
}

/** @param {string} calendarId @returns {Promise<void>} */
export async function deleteCalendar(calendarId) {
  await send("DELETE", `/calendars/${calendarId}`);
}
