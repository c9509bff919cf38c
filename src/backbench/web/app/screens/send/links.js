// Links: what became of those of an estimate: opened, answered, passed on again, taken back.

import { component, h2, section, ul } from "../../components/tags.js";
import { sendWords } from "../../words/send.js";
import { followShared, shared } from "../../state/links.js";
import { useEffect } from "../../vendor/hooks.js";
import { linkEntry } from "./link-entry.js";
import { isTakenBack } from "./taking-back.js";

/** @typedef {import("./sending.js").Sending} Sending */

/** @param {{ sending: Sending }} props */
export const links = (props) => component(Links, props);

/** @param {{ sending: Sending }} props */
function Links({ sending }) {
  useEffect(() => followShared(sending.id), [sending.id]);
  const found = shared(sending.id).value?.links ?? [];
  const present = found.filter((link) => link.state !== "revoked" && !isTakenBack(link));
  if (!present.length) return null;
  return section(
    { class: "panel" },
    h2({}, sendWords.value.link),
    ul({ class: "entries" }, ...present.map((link) => linkEntry({ sending, link }))),
  );
}
