// How many photos wait to be sent. The photos themselves are in `photos.js`, which is loaded where there are any.

import { signal } from "../vendor/signals-core.js";
import { waitingPhotos } from "../local/photos-kept.js";
import { signedIn } from "./signed-in.js";

export const photosWaiting = signal(waitingPhotos(signedIn().name));
