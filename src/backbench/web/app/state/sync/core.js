// Core: what changes are made, stored and pulled with. The first cards of the board need nothing of it, so that it is loaded
// behind them: see `outbox.js`.

export { openLocal } from "../../local/database.js";
export { applied, mutation } from "./mutations.js";
export { cursorKey, pull, readObject, takeWorkshops, unreadKey } from "./pull.js";
export {
  conflictsAmong,
  drop,
  enqueue,
  hasten,
  isConflict,
  postpone,
  retry,
  withPresentIds,
} from "./queue.js";
export { storage } from "./storage.js";
