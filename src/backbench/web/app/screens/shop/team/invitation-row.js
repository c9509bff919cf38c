// Row of an open invitation: to whom, until when, its link again, and a way to withdraw it.

import { call } from "../../../api/client.js";
import { actionButton } from "../../../components/action-button.js";
import { useCommand } from "../../../components/command.js";
import { isOnline } from "../../../components/needs-connection.js";
import { sheet } from "../../../components/sheet.js";
import { b, div, icon, p } from "../../../components/tags.js";
import { shortDate } from "../../../domain/format.js";
import { words, wordsLanguage } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { useState } from "../../../vendor/hooks.js";
import { useConfirmed } from "../common/confirmed.js";
import { invitationLink } from "./invitation-link.js";

/** @param {{ invitation: Api.Invitation, key?: string }} props */
export function InvitationRow({ invitation }) {
  const { id, email } = invitation;
  const text = shopWords.value.team;
  const { isDone, button } = useConfirmed({
    label: text.withdraw,
    about: email,
    work: () => call("DELETE /invitations/{invitationId}", { invitationId: id }),
  });
  const [address, setAddress] = useState(/** @type {Api.InvitationAddress | null} */ (null));
  const { said, busy, run } = useCommand();
  // The address is shown once, so this makes another.
  const show = () =>
    void run(async () =>
      setAddress(await call("POST /invitations/{invitationId}/addresses", { invitationId: id }))
    );
  if (isDone) return null;
  return div(
    { class: "thing" },
    icon("mail"),
    div(
      {},
      b({}, email),
      p({ class: "quiet-text" }, detailOf(invitation)),
      said && p({ class: "field-problem", role: "alert" }, said),
    ),
    linkButton(email, busy, show),
    button,
    address &&
      sheet({ title: text.linkFor(email), onClose: () => setAddress(null) }, invitationLink(address)),
  );
}

/** @param {Api.Invitation} invitation */
function detailOf({ role, expiresAt }) {
  const { roles, dates } = words.value.common;
  return `${roles[role]} · ${dates.until(shortDate(expiresAt, wordsLanguage.value))}`;
}

/** @param {string} email @param {boolean} busy @param {() => void} onClick */
function linkButton(email, busy, onClick) {
  return actionButton({
    label: shopWords.value.team.linkOf,
    about: email,
    icon: "link",
    kind: "quiet",
    iconOnly: true,
    busy,
    disabled: !isOnline(),
    onClick,
  });
}
