// Connections: what leaves the server, to whom, and where each is set up.

import { needsConnection } from "../../components/command.js";
import { frame } from "../../components/frame.js";
import { linkRow, linkRows } from "../../components/link-row.js";
import { p } from "../../components/tags.js";
import { connectionsWords } from "../../words/connections.js";

export function screen() {
  const { title, intro, parts } = connectionsWords.value;
  return frame(
    { title, place: "shop", back: "/shop" },
    p({ class: "quiet-text" }, intro),
    needsConnection(),
    linkRows(
      {},
      ...OWN.map(({ name, icon }) => {
        const [label = "", detail] = parts[name];
        return linkRow({ href: `/shop/connections/${name}`, title: label, detail, icon });
      }),
    ),
  );
}

const OWN = /** @type {const} */ ([
  { name: "calendars", icon: "calendar", load: () => import("./calendars.js") },
  { name: "push", icon: "smartphone", load: () => import("./push.js") },
  { name: "imports", icon: "upload", load: () => import("./imports.js") },
]);
/** What owners set up for other programs. */
export const PROGRAMS = /** @type {const} */ ([
  { name: "webhooks", icon: "send", load: () => import("./webhooks.js") },
  { name: "agents", icon: "sparkles", load: () => import("./agents.js") },
]);
export const PARTS = [...OWN, ...PROGRAMS];

/** @typedef {typeof PARTS[number]} Part */
