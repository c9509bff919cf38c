/** One error boundary a screen: what failed is said, nothing that was typed is lost, and the way on is one button. */

import { actionButton } from "../components/action-button.js";
import { div, h1, p } from "../components/tags.js";
import { words } from "../words/words.js";
import { go } from "../state/router.js";
import { useErrorBoundary } from "../vendor/hooks.js";

/** @param {{ children?: import("../vendor/preact.js").ComponentChildren }} props */
export function Boundary({ children }) {
  const [error, reset] = useErrorBoundary((problem) => reportError(problem));
  if (!error) return div({ class: "boundary" }, children);
  const { buttons, failed } = words.value.common;
  const again = () => {
    reset();
    go("/");
  };
  return div(
    { class: "notice alarm", role: "alert" },
    h1({}, failed),
    error.requestId && p({}, error.requestId),
    actionButton({ label: buttons.back, kind: "main", onClick: again }),
  );
}
