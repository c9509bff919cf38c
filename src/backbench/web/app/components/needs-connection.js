// Needs connection: says in place why something cannot be done without the server.

import { words } from "../words/words.js";
import { connection } from "../state/connection.js";
import { useAnnounced } from "./announcer.js";
import { component, icon, p, span } from "./tags.js";

/** Whether the server answers. Read in a component, it draws it again. */
export const isOnline = () => connection.value.online;

/** The sentence, while there is no connection. */
export const needsConnection = () => component(NeedsConnection, {});

function NeedsConnection() {
  const { needsConnection: text } = words.value.common.connection;
  const { online } = connection.value;
  useAnnounced(online ? "" : text);
  if (online) return null;
  return p(
    { class: "row quiet-text" },
    icon("wifi-off"),
    span({}, text),
  );
}
