// Links: the client reads the estimate in a browser, and accepts or declines it there.

import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import { component, div, h2, p, section, ul } from "../../components/tags.js";
import { toggle } from "../../components/toggle.js";
import { words } from "../../i18n/index.js";
import { createLink, followShared, shared, standing } from "../../state/links.js";
import { replaced } from "../../state/outbox.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { chosen } from "./choices.js";
import { linkEntry } from "./link-entry.js";
import { draft, latestNumber } from "./sending.js";
import { useCommand } from "../../components/command.js";

/** @typedef {import("./sending.js").Sending} Sending */

/** @param {{ sending: Sending }} props */
export const links = (props) => component(Links, props);

/** @param {{ sending: Sending }} props */
function Links({ sending }) {
  const text = words.value.send;
  useEffect(() => followShared(sending.id), [sending.id]);
  const found = shared(sending.id).value?.links ?? [];
  const present = found.filter(({ state }) => state !== "revoked" && state !== "superseded");
  const isOpen = present.some(({ state }) => state === "open");
  return section(
    { class: "panel" },
    h2({}, text.link),
    !present.length && p({ class: "quiet-text" }, text.linkHelp),
    present.length > 0 && ul({ class: "entries" }, ...present.map((link) => linkEntry({ sending, link }))),
    !standing(sending.id) && !isOpen && component(NewLink, { sending }),
  );
}

/** @param {{ sending: Sending }} props */
function NewLink({ sending }) {
  const text = words.value.send;
  const [canDecide, setCanDecide] = useState(true);
  const { busy, said, run } = useCommand();
  const make = () => run(() => made(sending, canDecide));
  return div(
    { class: "stack" },
    toggle({ label: text.canDecide, help: text.canDecideHelp, value: canDecide, onChange: setCanDecide }),
    actionButton({
      label: text.makeLink(latestNumber(sending)),
      icon: "link",
      wide: true,
      busy,
      disabled: !isOnline(),
      onClick: () => void make(),
    }),
    said && p({ class: "field-problem", role: "alert" }, said),
  );
}

/** @param {Sending} sending @param {boolean} canDecide */
async function made(sending, canDecide) {
  const wanted = chosen.peek();
  const { locale, toggles } = wanted;
  const body = { locale, toggles, canDecide, revisionNumber: latestNumber(sending) };
  // It is shared within a press, so its text is fetched before there is something to press.
  sending.linkText.value = (await draft(replaced(sending.id), "message", wanted, false)).body;
  await createLink(sending.id, body);
}
