// Refusal: a change of the estimate that the server did not accept, with what can be done about it.

import { actionButton } from "../../components/action-button.js";
import { component, div, p } from "../../components/tags.js";
import { explained, fieldExplained } from "../../words/problems.js";
import { builderWords } from "../../words/builder.js";
import { words } from "../../words/words.js";
import { drop, refusedOf, retry } from "../../state/outbox.js";

/** @param {string} id */
export const refusal = (id) => component(Refusal, { id });

/** @param {{ id: string }} props */
function Refusal({ id }) {
  const item = refusedOf(id);
  if (!item?.problem) return null;
  const { common } = words.value;
  const builder = builderWords.value;
  const about = item.args.line?.label ?? item.args.fields?.label ?? item.args.fields?.name ?? "";
  const [field] = item.problem.errors ?? [];
  return div(
    { class: "notice alarm", role: "alert" },
    p({}, [builder.refused, about].filter(Boolean).join(": ")),
    p({ class: "quiet-text" }, field ? fieldExplained(field, common) : explained(item.problem, common)),
    div(
      { class: "row" },
      actionButton({ label: common.buttons.retry, onClick: () => retry(item.key) }),
      actionButton({ label: common.buttons.drop, kind: "quiet", onClick: () => drop(item.key) }),
    ),
  );
}
