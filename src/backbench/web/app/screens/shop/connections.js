// Connections: what leaves the server, to whom, and where each is set up.

import { frame } from "../../components/frame.js";
import { linkRow, linkRows } from "../../components/link-row.js";
import { needsConnection } from "../../components/needs-connection.js";
import { p } from "../../components/tags.js";
import { connectionsWords } from "../../words/connections.js";
import { PARTS } from "./connections/parts.js";

export function screen() {
  const { title, intro, parts } = connectionsWords.value;
  return frame(
    { title, place: "shop", back: "/shop" },
    p({ class: "quiet-text" }, intro),
    needsConnection(),
    linkRows(
      {},
      ...PARTS.map(({ name, icon }) => {
        const [label = "", leaves] = parts[name];
        return linkRow({ href: `/shop/connections/${name}`, title: label, detail: leaves, icon });
      }),
    ),
  );
}
