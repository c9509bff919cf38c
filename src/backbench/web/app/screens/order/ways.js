// Ways: how a message to the customer of an order leaves this device, and what is noted of it.

import { copied } from "../send/clipboard.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").Notice["channel"]} Channel */
/** @typedef {typeof WAYS[number]} Way */

export const WAYS = /** @type {const} */ (["share", "sms", "whatsapp", "email", "copy"]);

/** @param {Way} way */
export function isWayOffered(way) {
  return way !== "share" || !!navigator.share;
}

/**
 * Returns the channel that is noted; null where nothing left, as with a share sheet that was closed.
 * @param {Way} way @param {{subject: string, body: string}} message @param {string} phone as it was typed
 * @returns {Promise<Channel | null>}
 */
export async function leave(way, { subject, body }, phone) {
  const text = encodeURIComponent(body);
  if (way === "share") return await isShared(body) ? "message-shared" : null;
  if (way === "sms") location.href = `sms:${phone.replace(/[^\d+]/g, "")}?&body=${text}`;
  if (way === "whatsapp") {
    open(`https://wa.me/${phone.replace(/\D/g, "")}?text=${text}`, "_blank", "noopener");
  }
  if (way === "email") {
    location.href = `mailto:?subject=${encodeURIComponent(subject)}&body=${text}`;
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
