// Sent, after a sign-up, which is only offered by servers that send emails: where to look for the link, and what to do if it does not come.

import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { notice } from "../../components/notice.js";
import { div, h1, p } from "../../components/tags.js";
import { isProblem } from "../../api/problems.js";
import { explained } from "../../words/problems.js";
import { words } from "../../words/words.js";
import { mailWords } from "../../words/mail.js";
import { startWords } from "../../words/start.js";
import { useLayoutEffect, useRef, useState } from "../../vendor/hooks.js";

/** @param {{ email: string, onBack: () => void }} props */
export function Sent({ email, onBack }) {
  const text = mailWords.value;
  const [said, setSaid] = useState(/** @type {{ kind: "good" | "alarm", text: string } | null} */ (null));
  const head = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  useLayoutEffect(() => head.current?.focus(), []);
  const again = async () => {
    try {
      await call("POST /accounts/verify/resend", {}, { body: { email }, isPublic: true });
      setSaid({ kind: "good", text: text.sentAgain });
    } catch (error) {
      if (!isProblem(error)) throw error;
      setSaid({ kind: "alarm", text: explained(error, words.value.common) });
    }
  };
  return div(
    { class: "stack" },
    h1({ tabIndex: -1, ref: head }, text.look),
    p({ role: "status" }, text.verifySent(email)),
    p({ class: "quiet-text" }, text.notThere),
    said && notice(said),
    actionButton({ label: text.sendAgain, icon: "mail", onClick: () => void again() }),
    actionButton({ label: startWords.value.otherAddress, kind: "quiet", onClick: onBack }),
    actionButton({ label: startWords.value.backToSignIn, kind: "quiet", href: "/sign-in" }),
  );
}
