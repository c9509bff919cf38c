// Older: finished orders beyond those that are loaded from the start.

import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { p } from "../../components/tags.js";
import { words } from "../../words/words.js";
import { hasOlder, loadDone } from "../../state/orders.js";

/** Says where they could not be loaded. */
export function part() {
  const { busy, said, run } = useCommand();
  const load = () => void run(loadDone);
  if (!hasOlder.value) return null;
  return [
    said && p({ class: "field-problem", role: "alert" }, said),
    actionButton({ label: words.value.board.loadMore, kind: "quiet", busy, onClick: load }),
  ];
}
