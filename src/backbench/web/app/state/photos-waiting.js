// How many photos wait to be sent. The photos themselves are in `photo-outbox.js`, which is loaded where there are any.

import { effect, signal } from "../vendor/signals-core.js";
import { channel } from "../local/pages.js";
import { waitingPhotos } from "../local/photos-kept.js";
import { account } from "./outbox.js";

/** Those that will be sent; until the photos are loaded, all. */
export const photosWaiting = signal(0);
/** Those that need the person: the server refused them, or their order is gone. */
export const photosRefused = signal(0);
/** Whether the photos were loaded: then they are counted, here and in other pages of this browser. */
export const photosRead = signal(false);
/** Whether an attempt to send some has failed. */
export const photosLate = signal(false);
/** Whether a closed page would lose some. */
export const photosUnstored = signal(false);
/** Counts how often the person or the network asked for another attempt. */
export const photosWoken = signal(0);

effect(() => void (photosWaiting.value = waitingPhotos(account.value)));

/** Starts what lasts as long as the page. */
export function startCounting() {
  channel.listen((message) => {
    if (message.type !== "photo" || message.account !== account.peek() || photosRead.peek()) return;
    photosWaiting.value = waitingPhotos(message.account);
  });
}
