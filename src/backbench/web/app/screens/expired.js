// Expired: the session has ended. The sign-in rises over the screen; nothing behind it moves or is lost.

import { sheet } from "../components/sheet.js";
import { actionButton } from "../components/action-button.js";
import { div, p } from "../components/tags.js";
import { words } from "../words/words.js";
import { session } from "../state/session.js";
import { isSignInLater } from "../state/status.js";
import { otherWays, signInForm } from "./sign-in/form.js";

/** Nothing is sent until then; the sign says so, and brings the sheet back. */
const later = () => void (isSignInLater.value = true);

/** The sheet. */
export function part() {
  const text = words.value.account;
  return sheet(
    { title: text.expiredTitle, onClose: later },
    p({}, text.expired),
    signInForm({ email: session.value.me?.email ?? "" }),
    div(
      { class: "stack" },
      ...otherWays(),
      actionButton({ label: text.later, kind: "quiet", onClick: later }),
    ),
  );
}
