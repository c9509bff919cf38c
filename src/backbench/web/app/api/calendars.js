// Calendars: feeds of due days that calendar programs subscribe to.

import { send } from "./client.js";

/** @param {string} workshopId @returns {Promise<Api.CalendarsList>} */
export async function listCalendars(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/calendars`)).data;
}

/**
 * @param {string} workshopId
 * @param {Api.NewCalendar} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.AddedCalendar>}
 */
export async function createCalendar(workshopId, body, { key } = {}) {
  return (await send("POST", `/workshops/${workshopId}/calendars`, { body, key })).data;
}

/** @param {string} calendarId @returns {Promise<void>} */
export async function deleteCalendar(calendarId) {
  await send("DELETE", `/calendars/${calendarId}`);
}
