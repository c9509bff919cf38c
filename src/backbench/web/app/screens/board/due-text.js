// When an order is due, in words: "today 16:00", "2 days late".

import { daysBetween } from "../../domain/due.js";
import { weekday } from "../../domain/format.js";
import { words, wordsLanguage } from "../../words/words.js";

/**
 * Of an order that has a day.
 * @param {{dueOn: string, dueTime?: string}} details
 * @param {import("../../domain/due.js").Due} due
 * @param {string} today
 */
export function dueText({ dueOn, dueTime = "" }, due, today) {
  const text = words.value.board.due;
  const days = daysBetween(today, dueOn);
  if (due === "overdue") return days < 0 ? text.daysLate(-days) : text.lateSince(dueTime);
  const day = [text.onToday, text.onTomorrow][days] ?? weekday(dueOn, today, wordsLanguage.value);
  return `${day} ${dueTime}`.trim();
}
