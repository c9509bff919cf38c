// Push in this browser: whether it can, whether it may, and its subscription at the push service of its maker.

import { store } from "./settings.js";
import { isInstalled, isIos } from "./system.js";

/** Under which it is kept what this device was subscribed with. */
export const KEPT = "backbench-push";

/**
 * `insecure`: the server has no https. `install`: iPhones and iPads only take messages for an app on the home screen.
 * `none`: this browser cannot. `denied`: somebody has said no.
 * @typedef {"insecure" | "install" | "none" | "denied" | "ready"} Ability
 */

/** @returns {Ability} */
export function pushAbility() {
  if (!globalThis.isSecureContext) return "insecure";
  if (isIos() && !isInstalled()) return "install";
  const isThere = "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
  if (!isThere) return "none";
  return Notification.permission === "denied" ? "denied" : "ready";
}

/** Whether somebody has said yes, so that nothing is asked again. */
export const isPushAllowed = () => pushAbility() === "ready" && Notification.permission === "granted";

/** Asks, where nobody has answered yet: call it on a tap. Whether the answer is yes. */
export async function askForPush() {
  return await Notification.requestPermission() === "granted";
}

/** The subscription of this browser, or null. */
export async function browserSubscription() {
  const registration = await navigator.serviceWorker?.getRegistration();
  return await registration?.pushManager?.getSubscription() ?? null;
}

/**
 * Subscribes to messages that are signed with the key. Throws DOMException, where the push service cannot be reached or
 * the browser has none.
 * @param {string} key
 */
export async function subscribeBrowser(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  const isSame = known && encoded(known.options.applicationServerKey) === key;
  // One of another key, as of a server that was set up anew, gets nothing any more.
  if (known && !isSame) await known.unsubscribe();
  return isSame
    ? known
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decoded(key) });
}

/** This device gets nothing any more, also where the service would still send. */
export async function forgetPush() {
  store(KEPT, undefined);
  await (await browserSubscription())?.unsubscribe();
}

/** What the service needs to send to it. @param {PushSubscription} subscription */
export function addressOf(subscription) {
  const { endpoint } = subscription;
  return {
    endpoint,
    p256dh: encoded(subscription.getKey("p256dh")),
    auth: encoded(subscription.getKey("auth")),
  };
}

/** In the base64url encoding. @param {ArrayBuffer | null} bytes */
function encoded(bytes) {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
function decoded(text) {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}
