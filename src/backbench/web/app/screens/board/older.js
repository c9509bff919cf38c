// Older: finished orders beyond those that are loaded from the start.

import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { p } from "../../components/tags.js";
import { words } from "../../i18n/index.js";
import { loadDone, orders } from "../../state/orders.js";
import { useState } from "../../vendor/hooks.js";

/** Says where they could not be loaded. */
export function part() {
  const [hasMore, setMore] = useState(orders.value.filter(({ status }) => status === "done").length >= 50);
  const { busy, said, run } = useCommand();
  const load = () => void run(async () => setMore(await loadDone()));
  if (!hasMore) return null;
  return [
    said && p({ class: "field-problem", role: "alert" }, said),
    actionButton({ label: words.value.board.loadMore, kind: "quiet", busy, onClick: load }),
  ];
}
