// Team: who works in the workshop, and who is invited.

import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { frame } from "../../components/frame.js";
import { needsConnection } from "../../components/needs-connection.js";
import { component, div, h2, p, section } from "../../components/tags.js";
import { shopWords } from "../../words/shop.js";
import { isOwner, workshop, workshopId } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { useAnswer } from "./common/use-answer.js";
import { InvitationRow } from "./team/invitation-row.js";
import { InviteSheet } from "./team/invite-sheet.js";
import { Leave } from "./team/leave.js";
import { MemberRow } from "./team/member-row.js";

export function screen() {
  const text = shopWords.value.team;
  const members = workshop.value?.members ?? [];
  return frame(
    { title: text.title, place: "shop", back: "/shop" },
    div({ class: "things" }, ...members.map((member) => component(MemberRow, { member, key: member.id }))),
    members.length === 1 && p({ class: "quiet-text" }, text.alone),
    needsConnection(),
    isOwner.value ? component(Invitations, {}) : p({ class: "quiet-text" }, text.ownersOnly),
    component(Leave, {}),
  );
}

function Invitations() {
  const [open, setOpen] = useState(false);
  const answered = useAnswer(
    () => call("GET /workshops/{workshopId}/invitations", { workshopId: workshopId.value }),
    workshopId.value,
  );
  const text = shopWords.value.team;
  const invitations = answered.data?.invitations ?? [];
  return section(
    { class: "stack" },
    actionButton({ label: text.invite, icon: "user-plus", kind: "main", onClick: () => setOpen(true) }),
    invitations.length > 0 && h2({}, text.invitations),
    invitations.length > 0 && div(
      { class: "things" },
      ...invitations.map((invitation) => component(InvitationRow, { invitation, key: invitation.id })),
    ),
    open && component(InviteSheet, {
      onClose: () => setOpen(false),
      onInvited: (invitation) => answered.show({ invitations: [invitation, ...invitations] }),
    }),
  );
}
