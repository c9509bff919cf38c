// Links: the client reads the estimate in a browser, and accepts or declines it there.

import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import { component, div, h2, p, section, ul } from "../../components/tags.js";
import { toggle } from "../../components/toggle.js";
import { words } from "../../i18n/index.js";
import { createLink, followShared, shared, standing } from "../../state/links.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { chosen, toggles } from "./choices.js";
import { linkEntry } from "./link-entry.js";
import { draft, latestNumber, once } from "./sending.js";
import { useWork } from "./work.js";

/** @typedef {import("./sending.js").Sending} Sending */

/** @param {{ sending: Sending }} props */
export const links = (props) => component(Links, props);

/** @param {{ sending: Sending }} props */
function Links({ sending }) {
  const text = words.value.send;
  const [canDecide, setCanDecide] = useState(true);
  const { busy, problem, run } = useWork();
  useEffect(() => followShared(sending.id), [sending.id]);
  const found = shared(sending.id).value?.links ?? [];
  const present = found.filter(({ state }) => state !== "revoked" && state !== "superseded");
  const make = () =>
    run("make", async () => {
      const body = {
        locale: chosen.value.locale,
        toggles: toggles.value,
        canDecide,
        revisionNumber: latestNumber(sending),
      };
      const link = await once(sending, `link ${JSON.stringify(body)}`, (key) =>
        createLink(sending.id, body, key));
      // It is shared within a press, so its text is fetched now.
      sending.linkText.value = (await draft(link.estimateId, "message", false)).body;
    });
  return section(
    { class: "paper" },
    h2({}, text.link),
    !present.length && p({ class: "quiet-text" }, text.linkHelp),
    present.length > 0 && ul({ class: "entries" }, ...present.map((link) => linkEntry({ sending, link }))),
    !standing(sending.id) && !present.some(({ state }) => state === "open") && div(
      { class: "stack" },
      toggle({ label: text.canDecide, help: text.canDecideHelp, value: canDecide, onChange: setCanDecide }),
      actionButton({
        label: text.makeLink(latestNumber(sending)),
        icon: "link",
        wide: true,
        busy: busy === "make",
        disabled: !isOnline(),
        onClick: make,
      }),
    ),
    problem && p({ class: "field-problem", role: "alert" }, problem),
  );
}
