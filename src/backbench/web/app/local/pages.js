// Messages between the pages of this browser. All share one channel: pages of another account hear when it changes.

/**
 * `write`: what a page of `account` has stored. `photo`: a photo that waits, which it has stored or removed. `account`:
 * another account is signed in, or none, or the same one anew.
 * @typedef {{type: "write", account: string, write: import("./memory.js").Write}
 *   | {type: "event", workshopId: string, event: import("../api/stream.js").LiveEvent}
 *   | {type: "photo", account: string, key: string}
 *   | {type: "account"}} Message
 */

const NAME = "backbench";
/** @type {BroadcastChannel | null} */
let open = null;

export const channel = {
  /** @param {Message} message */
  post(message) {
    open?.postMessage(message);
  },
  /** Calls back for each message of another page. @param {(message: Message) => void} listener */
  listen(listener) {
    if (typeof BroadcastChannel === "undefined") return;
    open ??= new BroadcastChannel(NAME);
    open.addEventListener("message", ({ data }) => listener(data));
  },
};
