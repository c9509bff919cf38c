// The head of a connection's screen: what leaves the server, and to whom.

import { frame } from "../../../components/frame.js";
import { p } from "../../../components/tags.js";
import { connectionsWords } from "../../../words/connections.js";

/** The screen of a connection. @param {import("../connections.js").Part["name"]} name @param {any[]} children */
export function connectionFrame(name, ...children) {
  const [title = "", leaves] = connectionsWords.value.parts[name];
  return frame(
    { title, place: "shop", back: "/shop/connections" },
    p({ class: "quiet-text" }, leaves),
    ...children,
  );
}
