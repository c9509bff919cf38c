// Unread: how many items of the inbox nobody of this account has looked at, for the mark on the bar of places.

import { signal } from "../vendor/signals-core.js";

export const unread = signal(0);
