// Push messages on this device: switched on and off by the person, and taken up again where the session is another one.

import { call } from "../api/client.js";
import { csrfToken } from "../api/early.js";
import {
  addressOf,
  askForPush,
  browserSubscription,
  forgetPush,
  isPushAllowed,
  KEPT,
  subscribeBrowser,
} from "../local/push.js";
import { store, stored } from "../local/settings.js";
import { effect, signal } from "../vendor/signals-core.js";
import { softly } from "./records.js";
import { isListed, isOpen } from "./session.js";
import { signedIn } from "./signed-in.js";

/** @typedef {Api.InboxItem["kind"]} Kind */
/** @typedef {{ kinds: Kind[], details: boolean }} Choices */
/** What this device was subscribed with. @typedef {Choices & { name: string, token: string, endpoint: string }} Kept */

/** How often the messages of this device were taken up again: what was read of them before is older. */
export const renewals = signal(0);

/** What a device hears of until somebody chooses otherwise: what a client does. @type {Choices} */
export const USUAL = { kinds: ["question", "accepted", "declined"], details: false };

/**
 * Asks the person, then subscribes. Null where the answer was no. Throws Problem, and DOMException where the browser has no
 * push service.
 * @param {Choices} choices @returns {Promise<Api.PushSubscription | null>}
 */
export async function turnOn(choices) {
  return await askForPush() ? await subscribe(choices) : null;
}

/** Changes what this device hears of. Throws as `turnOn`. @param {Choices} choices */
export async function subscribe({ kinds, details }) {
  const address = addressOf(await subscribeBrowser((await call("GET /push/key")).key));
  const made = await call("POST /me/push-subscriptions", {}, { body: { ...address, kinds, details } });
  const { name } = signedIn();
  store(KEPT, { name, token: csrfToken(), endpoint: address.endpoint, kinds, details });
  return made;
}

/** Throws Problem. @param {Api.PushSubscription} subscription */
export async function turnOff({ id, current }) {
  await call("DELETE /me/push-subscriptions/{subscriptionId}", { subscriptionId: id });
  if (current) await forgetPush();
}

/**
 * A subscription ends with its session, and browsers change their addresses: for the account that had switched them on
 * here, messages go on after the next sign-in.
 */
export function startPush() {
  effect(() => {
    if (isOpen.value && isListed.value) void softly(renew);
  });
}

async function renew() {
  const kept = stored(KEPT, /** @type {Kept | null} */ (null));
  if (!kept || kept.name !== signedIn().name) return;
  if (!isPushAllowed()) return store(KEPT, undefined);
  const present = await browserSubscription();
  if (present?.endpoint === kept.endpoint && kept.token === csrfToken()) return;
  await subscribe(kept);
  renewals.value += 1;
}
