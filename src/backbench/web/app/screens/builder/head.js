// Head of the builder: the way back, the name and the client; a tap opens both.

import { actionButton } from "../../components/action-button.js";
import { b, button, component, div, icon, span } from "../../components/tags.js";
import { words } from "../../i18n/index.js";
import { conflicts } from "../../state/conflicts.js";
import { estimate } from "../../state/estimates.js";
import { pendingOf, replaced } from "../../state/outbox.js";
import { back } from "../../state/router.js";

/** @param {{ till: import("./till.js").Till, onOpen: () => void }} props */
export function Head({ till, onOpen }) {
  const shown = estimate(till.id).value;
  const text = words.value.builder;
  const own = replaced(till.id);
  const isDisputed = conflicts.value.some(({ objectId, part }) => objectId === own && part === "fields");
  return div(
    { class: "builder-head" },
    actionButton({
      label: words.value.common.buttons.back,
      icon: "arrow-left",
      kind: "quiet",
      iconOnly: true,
      onClick: () => back("/estimates"),
    }),
    button(
      { class: "builder-name", type: "button", onClick: onOpen },
      b({}, shown?.name || text.newEstimate),
      span(
        { class: "quiet-text" },
        isDisputed && icon("triangle-alert"),
        span({}, shown?.recipientName || text.forWhom),
        component(Pending, { id: till.id }),
      ),
    ),
    actionButton({ label: text.details, icon: "ellipsis", kind: "quiet", iconOnly: true, onClick: onOpen }),
  );
}

/** @param {{ id: string }} props */
function Pending({ id }) {
  if (!pendingOf(id).value) return null;
  return icon("clock", { label: words.value.common.connection.notSentYet });
}
