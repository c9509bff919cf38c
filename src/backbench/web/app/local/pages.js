// Messages between the pages of this browser that show the same account.

/** @typedef {{type: "stored"} | {type: "event", event: import("../api/stream.js").LiveEvent} | {type: "session"} | {type: "online"}} Message */

/** @type {BroadcastChannel | null} */
let open = null;
/** @type {((message: Message) => void)[]} */
const listeners = [];

export const channel = {
  /** @param {string} account */
  open(account) {
    open?.close();
    open = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`backbench-${account}`);
    open?.addEventListener("message", ({ data }) => listeners.forEach((listener) => listener(data)));
  },
  close() {
    open?.close();
    open = null;
  },
  /** @param {Message} message */
  post(message) {
    open?.postMessage(message);
  },
  /** @param {(message: Message) => void} listener */
  listen(listener) {
    listeners.push(listener);
  },
};
