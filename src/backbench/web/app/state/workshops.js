// Workshops: those of the account, the one that is shown, its document settings and its plan.

import { computed, effect, signal, untracked } from "../vendor/signals-core.js";
import * as api from "../api/workshops.js";
import * as billing from "../api/billing.js";
import { hasCookies } from "../api/client.js";
import { isGone, isProblem, isTemporary } from "../api/problems.js";
import { newId } from "../domain/ids.js";
import { follow, on, startLive } from "./live.js";
import { leftWorkshop, replica } from "./outbox.js";
import { lastWorkshop } from "./preferences.js";
import { forget } from "./sync/pull.js";
import { session } from "./session.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Workshop} Workshop */
/** @typedef {import("../../../../../types/shapes.d.ts").WorkshopEdit} WorkshopEdit */
/** @typedef {import("../../../../../types/shapes.d.ts").NewWorkshop} NewWorkshop */
/** @typedef {import("../../../../../types/shapes.d.ts").DocumentSettings} DocumentSettings */
/** @typedef {import("../../../../../types/shapes.d.ts").WorkshopEntitlementsUsage} Entitlements */
/** @template T @typedef {import("../vendor/signals-core.js").Signal<T>} Signal */

/** @type {Signal<Workshop[]>} */
export const workshops = signal([]);
/** Whether the list of workshops is known. */
export const hasWorkshops = signal(false);
/** The workshop that is shown, or null. */
export const workshop = computed(() =>
  workshops.value.find(({ id }) => id === lastWorkshop.value) ??
    workshops.value.find(({ isDefault }) => isDefault) ?? workshops.value[0] ?? null
);
/** Its id, or "". */
export const workshopId = computed(() => workshop.value?.id ?? "");
/** The name of a workshop that the account has just left, or null. @type {Signal<string | null>} */
export const left = signal(null);
/** @type {Signal<DocumentSettings | null>} */
export const documentSettings = signal(null);
/** @type {Signal<Entitlements | null>} */
export const entitlements = signal(null);
/** The currency of the workshop's prices. */
export const currency = computed(() => documentSettings.value?.currency ?? "EUR");
/** The account's own id: as the sign-in said, or as the only member of its own workshop. */
export const ownUid = computed(() => {
  const own = workshops.value.find(({ isDefault }) => isDefault)?.members ?? [];
  const named = own.filter(({ name }) => name === session.value.me?.name);
  return session.value.uid ?? (named.length === 1 ? named[0]?.id ?? null : null);
});
/** Whether the account owns the workshop that is shown. */
export const isOwner = computed(() =>
  !!workshop.value?.members.some(({ id, role }) => id === ownUid.value && role === "owner")
);

/**
 * The list as it was asked for at the start, together with the account: one after the other takes a phone twice as long.
 * @type {ReturnType<typeof api.listWorkshops> | null}
 */
let asked = null;

/** Starts what lasts as long as the page. */
export function startWorkshops() {
  asked = hasCookies() ? api.listWorkshops() : null;
  // Its error is handled where it is awaited, which nobody does where the session has ended.
  asked?.catch(() => {});
  startLive();
  on("gone", (id) => void leave(id));
  on("pulled", ({ workshop: changed }) => changed && rememberWorkshop(changed));
  on("event", ({ type }) => {
    if (type === "workshop.updated" || type === "plan.changed") void loadSettings();
  });
  effect(() => {
    const { phase } = session.value;
    const account = session.value.me?.email ?? "";
    if (account !== shownAccount) forgetAll(account);
    if (phase === "signed-in" && account) untracked(() => void loadWorkshops());
  });
  effect(() => {
    const id = workshopId.value;
    const isSignedIn = session.value.phase === "signed-in";
    untracked(() => {
      follow(isSignedIn ? id : "");
      if (isSignedIn && id) void loadSettings();
    });
  });
  effect(() => {
    if (leftWorkshop.value) void untracked(() => checkMembership(leftWorkshop.value ?? ""));
  });
}

/** Whose workshops are shown: an email address, or "". */
let shownAccount = "";

/** @param {string} account */
function forgetAll(account) {
  shownAccount = account;
  workshops.value = [];
  hasWorkshops.value = false;
  documentSettings.value = null;
  settingsOf = "";
  entitlements.value = null;
}

/** What is stored at once, then what the server says. */
export async function loadWorkshops() {
  const known = await replica.fact("workshops");
  if (known && !hasWorkshops.value) show(known);
  await softly(async () => {
    const answer = asked ?? api.listWorkshops();
    asked = null;
    const listed = await answer;
    show(listed.workshops);
    await replica.commit({ facts: { workshops: listed.workshops } });
  });
}

/** @param {Workshop[]} list */
function show(list) {
  workshops.value = list;
  hasWorkshops.value = true;
}

/** Without a connection what is stored stays. @param {() => Promise<void>} work */
async function softly(work) {
  try {
    await work();
  } catch (error) {
    if (!isProblem(error) || !(isTemporary(error) || error.status === 401 || isGone(error))) throw error;
  }
}

/** Shows a workshop as the server answered. @param {Workshop} changed */
export function rememberWorkshop(changed) {
  const isKnown = workshops.value.some(({ id }) => id === changed.id);
  const others = workshops.value.map((one) => one.id === changed.id ? changed : one);
  workshops.value = isKnown ? others : [changed, ...others];
  void replica.commit({ facts: { workshops: workshops.value } });
}

/** Shows another workshop. @param {string} id */
export function choose(id) {
  lastWorkshop.value = id;
}

/** @param {string} id */
async function checkMembership(id) {
  leftWorkshop.value = null;
  try {
    await api.getWorkshop(id);
  } catch (error) {
    if (isGone(error)) await leave(id);
  }
}

/** @param {string} id */
async function leave(id) {
  left.value = workshops.value.find((one) => one.id === id)?.name ?? null;
  await forget(replica, id);
  workshops.value = workshops.value.filter((one) => one.id !== id);
  await replica.commit({ facts: { workshops: workshops.value } });
}

/** The workshop whose settings are shown. */
let settingsOf = "";
/** Counts the answers to writes of settings: a read that began before one is older than it. */
let written = 0;

/** The document settings and the plan: what is stored at once, then what the server says. */
export async function loadSettings() {
  const id = workshopId.value;
  if (!id) return;
  const isShown = () => workshopId.peek() === id;
  if (settingsOf !== id) {
    settingsOf = id;
    const [settings, plan] = [await replica.fact(`settings:${id}`), await replica.fact(`plan:${id}`)];
    if (isShown()) documentSettings.value = settings ?? null;
    if (isShown()) entitlements.value = plan ?? null;
  }
  await softly(async () => {
    const before = written;
    const [{ data }, usage] = await Promise.all([api.getDocumentSettings(id), billing.getEntitlements(id)]);
    if (before !== written) return await loadSettings();
    if (isShown()) documentSettings.value = data;
    if (isShown()) entitlements.value = usage;
    await replica.commit({ facts: { [`settings:${id}`]: data, [`plan:${id}`]: usage } });
  });
}

/** Needs a connection. Throws Problem. @param {WorkshopEdit} fields */
export async function updateWorkshop(fields) {
  rememberWorkshop(await api.updateWorkshop(workshopId.value, fields));
}

/** Needs a connection. Throws Problem. @param {NewWorkshop} body */
export async function createWorkshop(body) {
  const made = await api.createWorkshop(body, { key: newId() });
  rememberWorkshop(made);
  choose(made.id);
  return made;
}

/** Shows the document settings as the server answered. @param {string} id @param {DocumentSettings} settings */
export async function rememberSettings(id, settings) {
  written += 1;
  if (id === workshopId.value) documentSettings.value = settings;
  await replica.commit({ facts: { [`settings:${id}`]: settings } });
}

/** Needs a connection. Throws Problem. @param {string} notes */
export async function replaceContext(notes) {
  const id = workshopId.value;
  await api.replaceContext(id, { notes });
  rememberWorkshop((await api.getWorkshop(id)).data);
}

/** Needs a connection. Throws Problem. */
export async function synthesizeContext() {
  const id = workshopId.value;
  await api.synthesizeContext(id);
  rememberWorkshop((await api.getWorkshop(id)).data);
}

/** Needs a connection. Throws Problem. */
export async function startTrial() {
  entitlements.value = await billing.startTrial(workshopId.value);
  await loadWorkshops();
}

/** Needs a connection. Throws Problem. */
export async function deleteWorkshop() {
  const id = workshopId.value;
  await api.deleteWorkshop(id);
  await leave(id);
  left.value = null;
}
