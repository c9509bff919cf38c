// Answer to a client's question, on the board: what was said, the answer, and the way to the lines of the estimate.

import { actionButton } from "../../components/action-button.js";
import { div } from "../../components/tags.js";
import { sheet } from "../../components/sheet.js";
import { words } from "../../words/words.js";
import { inboxWords } from "../../words/inbox.js";
import { useQuestionsOf } from "../builder/questions.js";
import { talk } from "../send/comments.js";

/** @param {{ item: import("../../state/inbox.js").Item, onClose: () => void }} props `item` is of an estimate */
export function part({ item: { estimateId = "", title }, onClose }) {
  useQuestionsOf(estimateId, true);
  return sheet(
    {
      title,
      onClose,
      foot: div(
        { class: "send-next" },
        actionButton({
          label: inboxWords.value.steps.revise,
          about: title,
          icon: "pencil",
          href: `/estimates/${estimateId}`,
        }),
        actionButton({ label: words.value.common.buttons.done, kind: "plain", onClick: onClose }),
      ),
    },
    talk({ sending: { id: estimateId }, isMain: true }),
  );
}
