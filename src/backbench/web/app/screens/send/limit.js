// Limit: no further revision of this estimate is allowed, which the foot says. Nothing is lost: there are ways on.

import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { component, div, p } from "../../components/tags.js";
import { offers } from "../../local/system.js";
import { duplicateEstimate } from "../../state/estimates.js";
import { startTrial } from "../../state/edits.js";
import { entitlements, isOwner } from "../../state/workshops.js";
import { sendWords } from "../../words/send.js";
import { latestNumber } from "./sending.js";

/** @typedef {import("./sending.js").Sending} Sending */

/** How many revisions the plan allows, if all of them are used; else null. @param {Sending} sending */
export function usedUp(sending) {
  const problem = sending.problem.value;
  if (problem?.code === "plan_limit" && Number(problem.data["limit"]) < 1000) {
    return Number(problem.data["limit"]);
  }
  const limit = entitlements.value?.revisions.limitPerEstimate ?? null;
  return limit !== null && sending.isChanged.value && latestNumber(sending) >= limit ? limit : null;
}

/** @param {{ sending: Sending }} props */
export const limitPanel = (props) => component(Panel, props);

/** @param {{ sending: Sending }} props */
function Panel({ sending }) {
  const text = sendWords.value;
  const { doing, said: problem, run } = useCommand();
  const duplicate = () =>
    run(async (go) => go(`/estimates/${await duplicateEstimate(sending.id)}/send`), "duplicate");
  const trial = async () => {
    if (await run(startTrial, "trial")) sending.problem.value = null;
  };
  const isTrialOffered = isOwner.value && offers("plans") && entitlements.value?.plan !== "pro";
  return div(
    { class: "notice warning", role: "status" },
    p({}, text.limitHelp, offers("plans") && ` ${text.limitPro}`),
    problem && p({ class: "field-problem", role: "alert" }, problem),
    div(
      { class: "row" },
      actionButton({ label: text.duplicate, icon: "copy", onClick: duplicate, busy: doing === "duplicate" }),
      isTrialOffered &&
        actionButton({ label: text.trial, icon: "sparkles", onClick: trial, busy: doing === "trial" }),
      offers("plans") && actionButton({ label: text.plan, kind: "quiet", href: "/shop/plan" }),
    ),
  );
}
