// Workshops: those of the account, the one that is shown, its document settings and its plan.

import { call } from "../api/client.js";
import { computed, effect, signal, untracked } from "../vendor/signals-core.js";
import { follow, on, startLive } from "./live.js";
import { core, leftWorkshop, replica } from "./outbox.js";
import { lastWorkshop } from "./preferences.js";
import { open, shown, softly } from "./records.js";
import { isListed, isOpen, leftWorkshops, session } from "./session.js";
import { signedIn } from "./signed-in.js";

/** @template T @typedef {import("../vendor/signals-core.js").Signal<T>} Signal */
/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

/** The newest first, as the server lists them. @type {ReadonlySignal<Api.Workshop[]>} */
export const workshops = computed(() =>
  [...replica.views.workshop.value.values()].sort((one, other) => one.createdAt < other.createdAt ? 1 : -1)
);
/** Whether the list of workshops is known. */
export const hasWorkshops = computed(() => isListed.value || workshops.value.length > 0);
/** The workshop that is shown: the last one, else the default one; null without any. */
export const workshop = computed(() => {
  const all = workshops.value;
  return all.find(({ id }) => id === lastWorkshop.value) ?? all.find(({ isDefault }) => isDefault) ??
    all[0] ?? null;
});
/** Its id, or "". */
export const workshopId = computed(() => workshop.value?.id ?? "");
/** It, once what is stored of it was read. */
const opened = computed(() => isOpen.value ? workshopId.value : "");

/** What is stored of the workshop by a name, and again where its lists were loaded anew. @template T @param {string} name @param {T} usual @returns {Signal<T>} */
export function factOf(name, usual) {
  const found = signal(usual);
  const look = async (/** @type {string} */ id) => {
    const value = await replica.fact(`${name}:${id}`);
    if (id === opened.peek()) found.value = value ?? usual;
  };
  effect(() => {
    found.value = usual;
    void look(opened.value);
  });
  on("pulled", ({ workshopId: id, isLoaded }) => void (isLoaded && look(id)));
  return found;
}

/** The parameter of an operation of it. */
export const inWorkshop = () => ({ workshopId: workshopId.value });
/** The name of a workshop that the account has just left, or null. @type {Signal<string | null>} */
export const left = signal(null);
/** @type {ReadonlySignal<Api.DocumentSettings | null>} */
export const documentSettings = computed(() => replica.views.settings.get(workshopId.value) ?? null);
export const entitlements = factOf("plan", /** @type {Api.WorkshopEntitlementsUsage | null} */ (null));
/** The currency of the workshop's prices. */
export const currency = computed(() => documentSettings.value?.currency ?? "EUR");
/** The country as whose phone numbers are read: the złoty is the money of one country alone. */
export const phoneCountry = computed(() =>
  documentSettings.value?.country ?? (documentSettings.value?.currency === "PLN" ? "PL" : undefined)
);
/** What the workshop's prices are, those of its tiles: without tax or with it. @type {ReadonlySignal<"net" | "gross">} */
export const tilePrices = computed(() => documentSettings.value?.pricesEntered ?? "net");
/** The account's own id; undefined while its profile is not known. */
export const ownUid = computed(() => session.value.me && signedIn().uid);
/** Whether the account owns the workshop that is shown. */
export const isOwner = computed(() =>
  !!workshop.value?.members.some(({ id, role }) => id === ownUid.value && role === "owner")
);

/** Starts what lasts as long as the page. */
export function startWorkshops() {
  startLive();
  // The list says whether the account has left: a single response could be about anything else.
  on("gone", () => void loadWorkshops());
  on("pulled", ({ workshopId: id }) => void readSettings(id));
  effect(() => {
    const id = opened.value;
    untracked(() => follow(id));
  });
  effect(() => {
    if (leftWorkshop.value) {
      leftWorkshop.value = null;
      void untracked(loadWorkshops);
    }
  });
  nameLeft();
}

/** Whoever has left a workshop is told its name, which is gone then. */
function nameLeft() {
  /** @type {Map<string, string>} */
  let names = new Map();
  effect(() => {
    const [gone] = leftWorkshops.value;
    if (gone && names.has(gone)) left.value = names.get(gone) ?? null;
    names = new Map([...names, ...workshops.value.map(({ id, name }) => /** @type {const} */ ([id, name]))]);
  });
}

/** Asks the server for the workshops; the data of those that were left goes. */
export async function loadWorkshops() {
  await softly(async () => {
    leftWorkshops.value = await core.takeWorkshops(replica, (await call("GET /workshops")).workshops);
    isListed.value = true;
  });
}

/**
 * Shows the workshop of what is opened, unless another one was chosen while it was read: a link or a message may lead to
 * another one. Throws Problem where it was not read.
 * @param {"order" | "estimate"} kind @param {string} id @param {Promise<unknown>} reading
 */
export async function showWorkshop(kind, id, reading) {
  const chosen = lastWorkshop.peek();
  await reading;
  const of = shown(kind, id)?.workshopId;
  if (of && lastWorkshop.peek() === chosen) choose(of);
}

/** Shows another workshop. @param {string} id */
export function choose(id) {
  lastWorkshop.value = id;
}

/** Reads the settings and the plan where they may be others, also if the page that heard of it was closed before. @param {string} id */
async function readSettings(id) {
  if (id === workshopId.peek() && await replica.fact(core.unreadKey(id))) await loadSettings();
}

/** The document settings and the plan, as the server says them. */
export async function loadSettings() {
  const id = workshopId.value;
  if (!id) return;
  const isShown = () => workshopId.peek() === id;
  await softly(async () => {
    const [usage] = await Promise.all([
      call("GET /workshops/{workshopId}/entitlements", { workshopId: id }),
      open("settings", id, id),
    ]);
    if (isShown()) entitlements.value = usage;
    await replica.commit({ facts: { [`plan:${id}`]: usage, [core.unreadKey(id)]: undefined } });
  });
}
