// End of a column: that not every open order has its facts here, the way to an import, or the older orders.

import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { component, p } from "../../components/tags.js";
import { hasOlder, loadDone } from "../../state/orders.js";
import { orderWords } from "../../words/orders.js";
import { words } from "../../words/words.js";

/** @param {{ kind: "cut" | "import" | "older" }} props */
export function part({ kind }) {
  if (kind === "older") return component(Older, {});
  const text = orderWords.value;
  if (kind === "cut") return p({ class: "quiet-text" }, text.cut);
  const href = "/shop/connections/imports";
  return actionButton({ label: text.fromFile, icon: "file-text", kind: "quiet", href });
}

/** Says where they could not be loaded. */
function Older() {
  const { busy, said, run } = useCommand();
  const load = () => void run(loadDone);
  if (!hasOlder.value) return null;
  return [
    said && p({ class: "field-problem", role: "alert" }, said),
    actionButton({ label: words.value.board.loadMore, kind: "quiet", busy, onClick: load }),
  ];
}
