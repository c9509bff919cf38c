// Floor: the board as a wall display, read at three metres. With a key in the address it needs no sign-in.

import { b, component, div, h1, h2, header, main, p, section, span, time } from "../components/tags.js";
import { paint } from "../components/sign.js";
import { ago, time as timeOfDay } from "../domain/format.js";
import { words, wordsLanguage } from "../i18n/index.js";
import { connection } from "../state/connection.js";
import { loadOrders, orders } from "../state/orders.js";
import { startWall, wall } from "../state/wall.js";
import { workshop } from "../state/workshops.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../vendor/hooks.js";
import { STATUSES } from "./board/column.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Order} Order */

const SHOWN = 12;

export function screen() {
  const now = useClock();
  useWakeLock();
  useEffect(() => startWall(location.hash.slice(1)) ?? void loadOrders(), []);
  const shown = wall.value?.orders ?? orders.value;
  return div(
    { class: "floor" },
    component(WallSign, { name: wall.value?.name ?? workshop.value?.name ?? "", now }),
    main(
      { class: "floor-columns" },
      ...STATUSES.map((status) => column(status, shown.filter((one) => one.status === status))),
    ),
  );
}

/** @param {{ name: string, now: Date }} props */
function WallSign({ name, now }) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => paint(element.current, workshop.value), [workshop.value]);
  const { floor } = words.value.desk;
  const isLate = wall.value ? wall.value.isLate : !connection.value.online;
  return header(
    { class: "sign floor-sign", ref: element },
    h1({ class: "sign-name" }, name),
    span({ role: "status", class: "floor-late" }, isLate ? floor.late : ""),
    time({ class: "figures" }, timeOfDay(now, wordsLanguage.value)),
  );
}

/** @param {Order["status"]} status @param {Order[]} found */
function column(status, found) {
  const more = found.length - SHOWN;
  return section(
    { class: `floor-column status-${status}`, key: status },
    h2({}, words.value.common.orderStatus[status], " ", b({ class: "figures" }, String(found.length))),
    ...found.slice(0, SHOWN).map((order) =>
      div(
        { class: "floor-ticket", key: order.id },
        p({ class: "floor-title" }, order.title),
        p({}, order.customerName),
        p({ class: "quiet-text" }, ago(order.lastActivityAt, Date.now(), wordsLanguage.value)),
      )
    ),
    more > 0 && p({ class: "quiet-text" }, words.value.desk.floor.more(more)),
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
