// Row of an open invitation: to whom, until when, and a way to withdraw it.

import { deleteInvitation } from "../../../api/members.js";
import { actionButton } from "../../../components/action-button.js";
import { b, div, icon, p } from "../../../components/tags.js";
import { shortDate } from "../../../domain/format.js";
import { words, wordsLanguage } from "../../../i18n/index.js";
import { useDelayed } from "../common/delayed.js";
import { problemNotice } from "../common/problem-notice.js";

/** @typedef {import("../../../api/members.js").Invitation} Invitation */

/** @param {{ invitation: Invitation, key?: string }} props */
export function InvitationRow({ invitation }) {
  const { isHidden, problem, start } = useDelayed();
  const { id, email, role, expiresAt } = invitation;
  const text = words.value.shop.team;
  const { roles, dates } = words.value.common;
  if (isHidden) return null;
  const withdraw = () => start(text.withdrawn(email), () => deleteInvitation(id));
  return div(
    { class: "thing" },
    icon("mail"),
    div(
      {},
      b({}, email),
      p(
        { class: "quiet-text" },
        `${roles[role]} · ${dates.until(shortDate(expiresAt, wordsLanguage.value))}`,
      ),
    ),
    actionButton({ label: text.withdraw, about: email, kind: "quiet", onClick: withdraw }),
    problemNotice(problem),
  );
}
