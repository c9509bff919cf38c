// Invite sheet: an address, a role, and an email is on its way.

import { createInvitation } from "../../../api/members.js";
import { actionButton } from "../../../components/action-button.js";
import { useCommand } from "../../../components/command.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { notice } from "../../../components/notice.js";
import { sheet } from "../../../components/sheet.js";
import { textField } from "../../../components/text-field.js";
import { words } from "../../../i18n/index.js";
import { shopWords } from "../../../i18n/shop.js";
import { command } from "../../../state/commands.js";
import { workshopId } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { atField, problemNotice } from "../common/problem-notice.js";
import { roleChoice } from "./member-row.js";

/** @typedef {import("../../../api/members.js").Invitation} Invitation */

/** @typedef {{ email: string, role: Invitation["role"] }} Draft */

/** @param {{ onClose: () => void, onInvited: (invitation: Invitation) => void }} props */
export function InviteSheet({ onClose, onInvited }) {
  const [draft, setDraft] = useState(/** @type {Draft} */ ({ email: "", role: "member" }));
  const [invited, setInvited] = useState("");
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.team;
  const send = () =>
    void run(async () => {
      const body = { ...draft, email: draft.email.trim() };
      const id = workshopId.value;
      const invitation = await command(["invite", id, body], (key) => createInvitation(id, body, { key }));
      setInvited(invitation.email);
      onInvited(invitation);
    });
  const atEmail = atField(problem, "/email");
  const { close } = words.value.common.buttons;
  const foot = invited ? actionButton({ label: close, kind: "main", onClick: onClose }) : actionButton({
    label: text.sendInvitation,
    icon: "send",
    kind: "main",
    isFinal: true,
    busy,
    onClick: send,
  });
  return sheet(
    { title: text.invite, onClose, foot, problem: atEmail ? null : problemNotice(problem) },
    ...(invited ? [notice({ kind: "good", text: text.invited(invited) })] : fields(draft, setDraft, atEmail)),
  );
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
