// What the first screen can be drawn without: it is loaded once the first data is there.

import { effect } from "../vendor/signals-core.js";
import { startCustomers } from "./customers.js";
import { startGrids } from "./grids.js";
import { startInbox } from "./inbox.js";
import { loadRest } from "./missing.js";
import { startOrderSummaries } from "./order-summaries.js";
import { photosWaiting } from "./photos-waiting.js";
import { sealOthers } from "./signed-in.js";
import { startSummaries } from "./summaries.js";
import { startVersions } from "./versions.js";

export function startRest() {
  void sealOthers();
  startGrids();
  startSummaries();
  startVersions();
  startInbox();
  startOrderSummaries();
  startCustomers();
  effect(() => void (photosWaiting.value && loadRest(sendThePhotos)));
}

async function sendThePhotos() {
  (await import("./photo-outbox.js")).startPhotoOutbox();
}
