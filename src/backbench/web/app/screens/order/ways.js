// Ways: how a message to the customer of an order leaves this device, and what is noted of it.

import { smsLink, whatsAppLink } from "../../domain/phones.js";
import { phoneCountry } from "../../state/workshops.js";
import { copied } from "../send/clipboard.js";

/** @typedef {Api.Notice["channel"]} Channel */
/** @typedef {typeof WAYS[number]} Way */

export const WAYS = /** @type {const} */ (["share", "sms", "whatsapp", "email", "copy"]);

/** @param {Way} way @param {string} phone as it was typed */
export function isWayOffered(way, phone) {
  if (way === "whatsapp") return whatsAppLink(phone, phoneCountry.value, "") !== null;
  return way !== "share" || !!navigator.share;
}

/**
 * Returns the channel that is noted; null where nothing left, as with a share sheet that was closed.
 * @param {Way} way @param {{subject: string, body: string}} message @param {string} phone as it was typed
 * @returns {Promise<Channel | null>}
 */
export async function leave(way, { subject, body }, phone) {
  if (way === "share") return await isShared(body) ? "message-shared" : null;
  if (way === "sms") location.href = smsLink(phone, body);
  if (way === "whatsapp") {
    open(whatsAppLink(phone, phoneCountry.peek(), body) ?? "", "_blank", "noopener");
  }
  if (way === "email") {
    location.href = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
    return "email-opened";
  }
  if (way === "copy") {
    await copied(body);
    return "message-copied";
  }
  return "message-shared";
}

/** Whether it left; false where the share sheet was closed. @param {string} text */
export async function isShared(text) {
  try {
    await navigator.share({ text });
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return false;
    throw error;
  }
}
