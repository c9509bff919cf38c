// Done import: what came of a file, and its undoing with what stays.

import { call } from "../../../../api/client.js";
import { actionButton } from "../../../../components/action-button.js";
import { useCommand } from "../../../../components/command.js";
import { notice } from "../../../../components/notice.js";
import { b, div, icon, li, p, ul } from "../../../../components/tags.js";
import { date } from "../../../../domain/format.js";
import { connectionsWords } from "../../../../words/connections.js";
import { wordsLanguage } from "../../../../words/words.js";
import { command } from "../../../../state/commands.js";
import { useState } from "../../../../vendor/hooks.js";
import { importProblem } from "./problem.js";

const MOST_KEPT = 50;

/** @param {{ done: Api.ImportSummary, onUndone: () => void }} props */
export function DoneImport({ done, onUndone }) {
  const [undone, setUndone] = useState(/** @type {Api.UndoneImport | null} */ (null));
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.imports;
  const undo = () =>
    void run(async () => {
      setUndone(
        await command(
          ["undo import", done.id],
          (key) => call("POST /imports/{importId}/undo", { importId: done.id }, { key }),
        ),
      );
      onUndone();
    });
  return div(
    { class: "thing" },
    icon(done.state === "undone" ? "undo-2" : "circle-check"),
    div(
      {},
      b({}, done.fileName || text.kinds[done.kind]),
      p({ class: "quiet-text" }, facts(done)),
      done.undoUntil &&
        actionButton({ label: text.undo, about: done.fileName, icon: "undo-2", busy, onClick: undo }),
    ),
    undone && notice({ kind: "good", text: text.removed(undone.removed), detail: kept(undone) }),
    importProblem(problem),
  );
}

/** @param {Api.ImportSummary} done */
function facts({ kind, result, state, runAt, undoUntil }) {
  const text = connectionsWords.value.imports;
  const day = (/** @type {string} */ instant) => date(instant, wordsLanguage.value);
  return [
    text.kinds[kind],
    state === "undone" ? text.undone : runAt && `${text.done} ${day(runAt)}`,
    result && text.result(result.created, result.updated, result.skipped),
    undoUntil && text.undoUntil(day(undoUntil)),
  ].filter(Boolean).join(" · ");
}

/** @param {Api.UndoneImport} undone */
function kept({ kept: found }) {
  const text = connectionsWords.value.imports;
  if (found.length === 0) return null;
  const lines = found.slice(0, MOST_KEPT).map(({ name, reason }) => `${name}: ${text.reasons[reason]}`);
  const more = found.length - lines.length;
  return div(
    {},
    p({}, text.kept),
    ul({}, ...lines.map((line) => li({}, line)), more > 0 && li({}, text.more(more))),
  );
}
