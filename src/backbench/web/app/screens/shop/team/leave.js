// Leave: out of a workshop that others go on with.

import { call } from "../../../api/client.js";
import { actionButton } from "../../../components/action-button.js";
import { useCommand } from "../../../components/command.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { sheet } from "../../../components/sheet.js";
import { div, p } from "../../../components/tags.js";
import { shopWords } from "../../../words/shop.js";
import { go } from "../../../state/router.js";
import { loadWorkshops, ownUid, workshop, workshopId } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { problemNotice } from "../common/problem-notice.js";

export function Leave() {
  const [open, setOpen] = useState(false);
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.team;
  const uid = ownUid.value;
  if (!uid || (workshop.value?.members.length ?? 0) < 2) return null;
  const leave = () =>
    void run(async () => {
      await call("DELETE /workshops/{workshopId}/members/{userId}", {
        workshopId: workshopId.value,
        userId: uid,
      });
      await loadWorkshops();
      go("/", { replace: true });
    });
  const foot = actionButton({ label: text.leave, kind: "danger", isFinal: true, busy, onClick: leave });
  return div(
    { class: "stack" },
    actionButton({ label: text.leave, icon: "log-out", kind: "quiet", onClick: () => setOpen(true) }),
    open && sheet(
      { title: text.leaveTitle, onClose: () => setOpen(false), foot, problem: problemNotice(problem) },
      p({}, text.leaveText(workshop.value?.name ?? "")),
      needsConnection(),
    ),
  );
}
