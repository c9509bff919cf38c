// Wall display: the board, read at three metres. With a key in the address it needs no sign-in.

import { b, component, div, h1, h2, h3, header, main, p, section, span, time } from "../components/tags.js";
import { paint } from "../components/sign.js";
import { time as timeOfDay } from "../domain/format.js";
import { deskWords } from "../words/inbox.js";
import { words, wordsLanguage } from "../words/words.js";
import { byDue } from "../domain/due.js";
import { connection } from "../state/connection.js";
import { clock, tickets } from "../state/tickets.js";
import { startWall, wall } from "../state/wall.js";
import { workshop } from "../state/workshops.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../vendor/hooks.js";
import { STATUSES } from "./board/column.js";
import { factsOf } from "./board/facts.js";

/** @typedef {import("../state/wall.js").WallTicket} WallTicket */

const SHOWN = 12;

export function screen() {
  const now = useClock();
  useWakeLock();
  useEffect(() => startWall(location.hash.slice(1)) ?? undefined, []);
  const shown = wall.value?.tickets ?? tickets.value;
  return div(
    { class: "floor" },
    component(WallSign, { name: wall.value?.name ?? workshop.value?.name ?? "", now }),
    main(
      { class: "floor-columns" },
      ...STATUSES.map((status) =>
        column(status, shown.filter((one) => one.order.status === status && !one.isCollected))
      ),
    ),
  );
}

/** @param {{ name: string, now: Date }} props */
function WallSign({ name, now }) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => paint(element.current, workshop.value), [workshop.value]);
  const { floor } = deskWords.value;
  const isLate = wall.value ? wall.value.isLate : !connection.value.online;
  return header(
    { class: "sign floor-sign", ref: element },
    h1({ class: "sign-name" }, name),
    span({ role: "status", class: "floor-late" }, isLate ? floor.late : ""),
    time({ class: "figures" }, timeOfDay(now, wordsLanguage.value)),
  );
}

/** @param {Api.Order["status"]} status @param {WallTicket[]} found */
function column(status, found) {
  const more = found.length - SHOWN;
  return section(
    { class: `floor-column status-${status}`, key: status },
    h2({}, words.value.common.orderStatus[status], " ", b({ class: "figures" }, String(found.length))),
    ...groups(found),
    more > 0 && p({ class: "quiet-text" }, deskWords.value.floor.more(more)),
  );
}

/** The first tickets under their headings, if one has a day. @param {WallTicket[]} found */
function groups(found) {
  const all = byDue(found, () => clock.value);
  const hasDays = all.some(({ due }) => due !== "none");
  let left = SHOWN;
  return all.map(({ due, tickets }) => {
    const some = tickets.slice(0, Math.max(0, left));
    left -= tickets.length;
    return some.length > 0 && section(
      { key: due, class: "due-group" },
      hasDays && h3({ class: `due-heading ${due}` }, words.value.board.due[due]),
      ...some.map(floorTicket),
    );
  });
}

/** @param {WallTicket} ticket */
function floorTicket(ticket) {
  const { id, title, customerName } = ticket.order;
  return div(
    { class: "floor-ticket", key: id },
    p({ class: "floor-title" }, title),
    p({}, customerName),
    p({ class: "ticket-meta" }, ...factsOf(ticket)),
  );
}

function useClock() {
  const [now, setNow] = useState(new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 15_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Keeps the display on, where the browser can. */
function useWakeLock() {
  useEffect(() => {
    /** @type {WakeLockSentinel | undefined} */
    let held;
    const hold = () => {
      if (document.visibilityState !== "visible") return;
      // Refused on a low battery; the display then follows the device.
      void navigator.wakeLock?.request("screen").then((lock) => (held = lock), () => {});
    };
    hold();
    document.addEventListener("visibilitychange", hold);
    return () => {
      document.removeEventListener("visibilitychange", hold);
      void held?.release();
    };
  }, []);
}
