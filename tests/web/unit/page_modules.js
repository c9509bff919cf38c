// The modules of the app that a page of a test runs, with what they import.

import * as problems from "../../../src/backbench/web/app/api/problems.js";
import * as photos from "../../../src/backbench/web/app/state/photos.js";
import * as session from "../../../src/backbench/web/app/state/session.js";
import * as signedIn from "../../../src/backbench/web/app/state/signed-in.js";
import * as workshops from "../../../src/backbench/web/app/state/workshops.js";
import * as edits from "../../../src/backbench/web/app/state/edits.js";
import * as orders from "../../../src/backbench/web/app/state/orders.js";
import * as rest from "../../../src/backbench/web/app/state/rest.js";
import * as start from "../../../src/backbench/web/app/state/start.js";
import * as drafts from "../../../src/backbench/web/app/state/drafts.js";
import * as tickets from "../../../src/backbench/web/app/state/tickets.js";
import * as estimates from "../../../src/backbench/web/app/state/estimates.js";
import * as summaries from "../../../src/backbench/web/app/state/summaries.js";
import * as payments from "../../../src/backbench/web/app/state/payments.js";
import * as amountsDue from "../../../src/backbench/web/app/state/amounts-due.js";
import * as inbox from "../../../src/backbench/web/app/state/inbox.js";
import * as first from "../../../src/backbench/web/app/state/first.js";
import * as undo from "../../../src/backbench/web/app/state/undo.js";
import * as outbox from "../../../src/backbench/web/app/state/outbox.js";
import * as connection from "../../../src/backbench/web/app/state/connection.js";
import * as status from "../../../src/backbench/web/app/state/status.js";
import * as live from "../../../src/backbench/web/app/state/live.js";
import * as commands from "../../../src/backbench/web/app/state/commands.js";
import * as intake from "../../../src/backbench/web/app/state/intake.js";

/** What they export. */
export const app = {
  ...problems,
  ...photos,
  ...session,
  ...signedIn,
  ...workshops,
  ...edits,
  ...orders,
  ...rest,
  ...start,
  ...drafts,
  ...tickets,
  ...estimates,
  ...summaries,
  ...payments,
  ...amountsDue,
  ...inbox,
  ...first,
  ...undo,
  ...outbox,
  ...connection,
  ...status,
  ...live,
  ...commands,
  intake,
};
