// Row of an open invitation: to whom, until when, and a way to withdraw it.

import { deleteInvitation } from "../../../api/members.js";
import { b, div, icon, p } from "../../../components/tags.js";
import { shortDate } from "../../../domain/format.js";
import { words, wordsLanguage } from "../../../i18n/index.js";
import { shopWords } from "../../../i18n/shop.js";
import { useConfirmed } from "../common/confirmed.js";

/** @typedef {import("../../../api/members.js").Invitation} Invitation */

/** @param {{ invitation: Invitation, key?: string }} props */
export function InvitationRow({ invitation }) {
  const { id, email, role, expiresAt } = invitation;
  const text = shopWords.value.team;
  const { isDone, button } = useConfirmed({
    label: text.withdraw,
    about: email,
    work: () => deleteInvitation(id),
  });
  const { roles, dates } = words.value.common;
  if (isDone) return null;
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
    button,
  );
}
