// What the first screen can be drawn without: it is loaded once the first data is there.

import { byDue } from "../domain/due.js";
import { ME } from "../domain/kinds.js";
import { accountsHere } from "../local/database.js";
import { countFormer } from "../local/former-photos.js";
import { effect } from "../vendor/signals-core.js";
import { startCustomers } from "./customers.js";
import { keepFirst } from "./first.js";
import { startGrids } from "./grids.js";
import { inbox, startInbox } from "./inbox.js";
import { hasOrders } from "./orders.js";
import { account, replica } from "./outbox.js";
import { session } from "./session.js";
import { seal, sealed, signedIn } from "./signed-in.js";
import { loadRest } from "./missing.js";
import { clock, countOf, inboxLine, matching } from "./tickets.js";
import { startVersions } from "./versions.js";
import { workshop, workshopId } from "./workshops.js";

export function startRest() {
  // It is there where the connection is lost later.
  loadRest(() => import("./sync/drain.js"));
  void sealOthers();
  startGrids();
  startVersions();
  startInbox();
  startCustomers();
  keepBoard();
  effect(() => void (account.value && loadRest(takeFormerPhotos)));
}

const STATUSES = /** @type {const} */ (["todo", "in_progress", "done"]);
const PAUSE = 1_000;
const CARDS = 20;

/** Stores what the board shows first, for the next start. */
function keepBoard() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const isThere = () => session.peek().phase === "signed-in" && hasOrders.peek();
  const store = () => void (isThere() && keepFirst(account.peek(), firstRow(workshopId.peek())));
  document.addEventListener("visibilitychange", () => document.hidden && store());
  effect(() => {
    void [session.value, inbox.value, ...STATUSES.map((status) => matching(status, ""))];
    if (!workshop.value || !hasOrders.value) return;
    clearTimeout(timer);
    timer = setTimeout(store, PAUSE);
  });
}

/** @param {string} workshopId @returns {import("./first.js").First} */
function firstRow(workshopId) {
  const groups = byDue(matching("todo", ""), () => clock.peek());
  const cards = groups.flatMap(({ tickets }) => tickets).slice(0, CARDS);
  return {
    workshopId,
    cards: cards.map((ticket) => ({ ...ticket, isEarly: true })),
    counts: /** @type {import("./first.js").First["counts"]} */ (
      Object.fromEntries(STATUSES.map((status) => [status, countOf(status, "")]))
    ),
    inbox: inboxLine.peek(),
    // The account and the workshop.
    objects: [replica.base("profile", ME), replica.base("workshop", workshopId)].flatMap((one) => one ?? []),
  };
}

async function takeFormerPhotos() {
  const count = await countFormer(account.peek()).catch(() => 0);
  if (count) await (await import("./photos.js")).takeFormerPhotos();
}

/** Databases that could not be read when their account left, or whose deletion was held up by another page. */
export async function sealOthers() {
  const unread = Object.values(sealed.peek()).filter(({ waiting }) => waiting === null);
  for (const name of new Set([...unread.map((one) => one.name), ...await accountsHere()])) {
    if (name !== signedIn().name && !sealed.peek()[name]?.waiting) await seal(name);
  }
}
