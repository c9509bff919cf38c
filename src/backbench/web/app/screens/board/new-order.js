// New order: leads to the intake.

import { actionButton } from "../../components/action-button.js";
import { words } from "../../words/words.js";
import { go } from "../../state/router.js";

export const newOrder = () =>
  actionButton({
    label: words.value.board.newOrder,
    icon: "plus",
    wide: true,
    onClick: () => go("/orders/new"),
  });
