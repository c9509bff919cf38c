// Overlays: what any screen can have over it: how an order is paid, what its customer is told, the keys.

import { component } from "../components/tags.js";
import { part as Tell } from "./order/message-sheet.js";
import { part as Collect } from "./payments/collect-sheet.js";
import { part as Shortcuts } from "./shortcuts.js";

export const part = () => [component(Collect, {}), component(Tell, {}), component(Shortcuts, {})];
