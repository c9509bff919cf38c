// Confirmed: what cannot be taken back on the server is asked once more, then done at once, while the person sees it.

import { actionButton } from "../../../components/action-button.js";
import { useCommand } from "../../../components/command.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { sheet } from "../../../components/sheet.js";
import { div } from "../../../components/tags.js";
import { useState } from "../../../vendor/hooks.js";
import { problemNotice } from "./problem-notice.js";

/** @typedef {import("../../../api/problems.js").Problem} Problem */
/**
 * `about` names what it is done to; `explain` says some problems better than the usual sentence.
 * @typedef {{ label: string, about: string, icon?: string, iconOnly?: boolean, work: () => Promise<unknown>,
 *   explain?: (problem: Problem | null) => string | undefined }} Confirmed
 */

/** The button with its question, and whether it was done. @param {Confirmed} props */
export function useConfirmed({ label, about, work, explain, ...look }) {
  const [asks, setAsks] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const { busy, problem, run } = useCommand();
  const confirm = async () => {
    const done = await run(work);
    setIsDone(done);
    if (done) setAsks(false);
  };
  const now = actionButton({
    label,
    about,
    kind: "danger",
    isFinal: true,
    busy,
    onClick: () => void confirm(),
  });
  const question = asks &&
    sheet(
      {
        title: about,
        onClose: () => setAsks(false),
        foot: now,
        problem: problemNotice(problem, explain?.(problem)),
      },
      needsConnection(),
    );
  const first = actionButton({ label, about, kind: "quiet", ...look, onClick: () => setAsks(true) });
  return { isDone, button: div({}, first, question) };
}
