// Sign out: at once, unless changes wait that would be lost.

import { actionButton } from "../../components/action-button.js";
import { sheet } from "../../components/sheet.js";
import { div, p } from "../../components/tags.js";
import { words } from "../../words/words.js";
import { shopWords } from "../../words/shop.js";
import { connection } from "../../state/connection.js";
import { draftCount } from "../../state/drafts.js";
import { wake } from "../../state/outbox.js";
import { signOut } from "../../state/session.js";
import { useState } from "../../vendor/hooks.js";
import { problemNotice } from "./kit.js";
import { useCommand } from "../../components/command.js";

export function SignOut() {
  const [asks, setAsks] = useState(false);
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.overview;
  const unsent = connection.value.waiting + connection.value.refused + draftCount.value;
  const leave = () => void run(signOut);
  const start = () => unsent ? setAsks(true) : leave();
  return div(
    { class: "stack" },
    problemNotice(problem),
    actionButton({ label: text.signOut, icon: "log-out", busy, onClick: start }),
    asks && sheet(
      {
        title: text.signOutTitle,
        onClose: () => setAsks(false),
        foot: foot(unsent, leave),
        problem: problemNotice(problem),
      },
      p(
        {},
        unsent
          ? text.signOutWaiting(words.value.common.changes(unsent))
          : words.value.common.connection.allSent,
      ),
    ),
  );
}

/** @param {number} unsent @param {() => void} leave */
function foot(unsent, leave) {
  const text = shopWords.value.overview;
  if (!unsent) return actionButton({ label: text.signOut, kind: "main", onClick: leave });
  return [
    actionButton({ label: text.sendFirst, kind: "main", icon: "send", onClick: () => void wake() }),
    actionButton({ label: text.signOutAnyway, kind: "danger", isFinal: true, onClick: leave }),
  ];
}
