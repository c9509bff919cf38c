// Due dates: where an order stands on the board by date, by the calendar and the clock on the wall of the workshop.

/** @typedef {"overdue" | "today" | "tomorrow" | "week" | "later" | "none"} Due */
/** The headings of a column: of what is done, whether it was collected. @typedef {Due | "ready" | "collected"} Heading */
/** The date (YYYY-MM-DD) and the time of day (HH:MM) in the time zone of a workshop. @typedef {{today: string, time: string}} WallClock */

/** The headings of a column, in their order. */
const DUES = /** @type {readonly Due[]} */ (["overdue", "today", "tomorrow", "week", "later", "none"]);

const DAY = 24 * 60 * 60 * 1000;
const WEEK_DAYS = 7;

/** @param {number} now milliseconds @param {string} [zone] the device's, where none is given or it knows no such zone @returns {WallClock} */
export function wallClock(now, zone) {
  const [today = "", time = ""] = formatOf(zone).format(now).split(", ");
  return { today: today.split("/").reverse().join("-"), time };
}

/** @type {Map<string | undefined, Intl.DateTimeFormat>} */
const formats = new Map();

/** Writes 24/11/2026, 16:05. @param {string | undefined} timeZone */
function formatOf(timeZone) {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = madeFor(timeZone);
  formats.set(timeZone, made);
  return made;
}

/** @param {string | undefined} timeZone @returns {Intl.DateTimeFormat} */
function madeFor(timeZone) {
  try {
    return new Intl.DateTimeFormat("en-GB", {
      timeZone,
      dateStyle: "short",
      timeStyle: "short",
    });
  } catch (error) {
    // A browser's list of zones may be older than the server's.
    if (!(error instanceof RangeError) || !timeZone) throw error;
    return madeFor(undefined);
  }
}

/**
 * Of an order that is neither ready nor collected. A time has passed in its minute; without one the day ends it.
 * @param {{dueOn?: string, dueTime?: string} | undefined} details
 * @param {WallClock} clock
 * @returns {Due}
 */
export function dueOf(details, { today, time }) {
  const { dueOn, dueTime = "~" } = details ?? {};
  if (!dueOn) return "none";
  if (dueOn < today || (dueOn === today && dueTime <= time)) return "overdue";
  if (dueOn === today) return "today";
  const days = daysBetween(today, dueOn);
  if (days === 1) return "tomorrow";
  return days <= WEEK_DAYS ? "week" : "later";
}

/**
 * Tickets by heading, empty ones left out; within a heading the earliest due first. What is done is not due any more: it
 * has headings where some of it was collected.
 * @template {{order: {status: string}, facts: {dueOn?: string, dueTime?: string} | undefined, isCollected?: boolean}} T
 * @param {readonly T[]} found of one status
 * @param {() => WallClock} clock asked only where something is due: the first date that a page formats takes milliseconds
 * @returns {{due: Heading, tickets: T[]}[]}
 */
export function byDue(found, clock) {
  if (found[0]?.order.status === "done") return byCollection(found);
  if (!found.some(({ facts }) => facts?.dueOn)) {
    return found.length ? [{ due: "none", tickets: [...found] }] : [];
  }
  const at = clock();
  const sorted = found.map((ticket) => {
    const { facts } = ticket;
    const key = facts?.dueOn ? `${facts.dueOn}T${facts.dueTime ?? "~"}` : "~";
    return { ticket, key, due: dueOf(facts, at) };
  }).sort((one, other) => compare(one.key, other.key));
  const groups = DUES.map((due) => ({
    due,
    tickets: sorted.filter((each) => each.due === due).map(({ ticket }) => ticket),
  }));
  return groups.filter(({ tickets }) => tickets.length > 0);
}

/** @template {{isCollected?: boolean}} T @param {readonly T[]} found @returns {{due: Heading, tickets: T[]}[]} */
function byCollection(found) {
  const collected = found.filter(({ isCollected }) => isCollected);
  const ready = found.filter(({ isCollected }) => !isCollected);
  /** @type {{due: Heading, tickets: T[]}[]} */
  const groups = [{ due: collected.length ? "ready" : "none", tickets: ready }, {
    due: "collected",
    tickets: collected,
  }];
  return groups.filter(({ tickets }) => tickets.length);
}

/** @param {string} one @param {string} other */
function compare(one, other) {
  return one < other ? -1 : Number(one > other);
}

/** Days of the calendar, whatever the clocks do. @param {string} from @param {string} to */
export function daysBetween(from, to) {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY);
}
