// Invite sheet: an address, a role, and then the link of the invitation.

import { call } from "../../../api/client.js";
import { actionButton } from "../../../components/action-button.js";
import { useCommand } from "../../../components/command.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { notice } from "../../../components/notice.js";
import { sheet } from "../../../components/sheet.js";
import { p } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { words } from "../../../words/words.js";
import { mailWords } from "../../../words/mail.js";
import { shopWords } from "../../../words/shop.js";
import { offers } from "../../../local/offers.js";
import { workshopId } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { madeOnce } from "../common/made-once.js";
import { atField, problemNotice } from "../common/problem-notice.js";
import { invitationLink } from "./invitation-link.js";
import { roleChoice } from "./member-row.js";

/** @typedef {{ email: string, role: Api.Invitation["role"] }} Draft */

/** @param {{ onClose: () => void, onInvited: (invitation: Api.Invitation) => void }} props */
export function InviteSheet({ onClose, onInvited }) {
  const [draft, setDraft] = useState(/** @type {Draft} */ ({ email: "", role: "member" }));
  const [invited, setInvited] = useState(/** @type {Api.AddedInvitation | null} */ (null));
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.team;
  const send = () =>
    void run(async () => {
      const body = { ...draft, email: draft.email.trim() };
      const id = workshopId.value;
      const intent = ["invite", id, body];
      // Another invitation of the address replaces one whose response was lost.
      const invitation = await madeOnce(intent, (key) =>
        call("POST /workshops/{workshopId}/invitations", { workshopId: id }, { body, key }), async () => {});
      setInvited(invitation);
      onInvited(invitation);
    });
  const atEmail = atField(problem, "/email");
  const { close } = words.value.common.buttons;
  const foot = invited ? actionButton({ label: close, kind: "main", onClick: onClose }) : actionButton({
    label: offers("mail") ? mailWords.value.sendInvitation : text.makeInvitation,
    icon: offers("mail") ? "send" : "check",
    kind: "main",
    isFinal: true,
    busy,
    onClick: send,
  });
  return sheet(
    { title: text.invite, onClose, foot, problem: atEmail ? null : problemNotice(problem) },
    ...(invited ? made(invited) : fields(draft, setDraft, atEmail)),
  );
}

/** @param {Api.AddedInvitation} invitation */
function made(invitation) {
  const { email } = invitation;
  const text = offers("mail") ? mailWords.value.invited(email) : shopWords.value.team.invitedByHand(email);
  return [
    notice({ kind: "good", text }),
    offers("mail") && p({ class: "quiet-text" }, mailWords.value.orByHand),
    invitationLink(invitation),
  ];
}

/** @param {Draft} draft @param {(draft: Draft) => void} change @param {string | undefined} atEmail */
function fields(draft, change, atEmail) {
  return [
    needsConnection(),
    textField({
      label: shopWords.value.team.inviteEmail,
      type: "email",
      value: draft.email,
      autofocus: true,
      autocomplete: "off",
      onInput: (email) => change({ ...draft, email }),
      ...(atEmail ? { problem: atEmail } : {}),
    }),
    roleChoice(draft.role, (role) => change({ ...draft, role })),
  ];
}
