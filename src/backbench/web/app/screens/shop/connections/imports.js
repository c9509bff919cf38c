// Import: a file is chosen, its columns are named, and its rows become customers, orders or tiles; or go again.

import { call } from "../../../api/client.js";
import { notice } from "../../../components/notice.js";
import { component, div, h2, p } from "../../../components/tags.js";
import { connectionsWords } from "../../../words/connections.js";
import { workshopId } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { notYet, useAnswer } from "../common/use-answer.js";
import { connectionFrame } from "./head.js";
import { ChosenFile } from "./imports/chosen-file.js";
import { DoneImport } from "./imports/done-import.js";
import { Proposal } from "./imports/proposal.js";
import { alike, leftOut } from "./imports/rows-left.js";

export function screen() {
  const [proposed, setProposed] = useState(/** @type {Api.Import | null} */ (null));
  const answered = useAnswer(
    () => call("GET /workshops/{workshopId}/imports", { workshopId: workshopId.value }),
    workshopId.value,
  );
  const [result, setResult] = useState(/** @type {Api.ImportResult | null} */ (null));
  const propose = (/** @type {Api.Import | null} */ found) => {
    setProposed(found);
    setResult(null);
  };
  const finish = async (/** @type {Api.ImportResult} */ found) => {
    await answered.reload();
    setProposed(null);
    setResult(found);
  };
  return connectionFrame(
    "imports",
    proposed
      ? component(Proposal, {
        key: proposed.id,
        proposed,
        onChange: propose,
        onDone: finish,
        onClose: () => propose(null),
      })
      : toChoose(result, propose),
    notYet(answered),
    !proposed && listed(answered.data?.imports ?? [], () => void answered.reload()),
  );
}

/** @param {Api.ImportResult | null} result of the last one @param {(found: Api.Import) => void} onProposed */
function toChoose(result, onProposed) {
  const text = connectionsWords.value.imports;
  return [
    result &&
    notice({
      kind: "good",
      text: `${text.done}: ${text.result(result.created, result.updated, result.skipped)}`,
    }),
    result && leftOut(result.notes),
    result && alike(result.duplicates),
    p({ class: "quiet-text" }, text.intro),
    component(ChosenFile, { onProposed }),
  ];
}

/** The earlier ones. @param {Api.ImportSummary[]} imports @param {() => void} onUndone */
function listed(imports, onUndone) {
  const done = imports.filter(({ state }) => state !== "proposed");
  return done.length > 0 && [
    h2({}, connectionsWords.value.imports.earlier),
    div(
      { class: "things" },
      ...done.map((each) => component(DoneImport, { done: each, key: each.id, onUndone })),
    ),
  ];
}
