// Row of a member: name and role; for owners a way to change the role or to remove the person.

import { call } from "../../../api/client.js";
import { actionButton } from "../../../components/action-button.js";
import { useCommand } from "../../../components/command.js";
import { choice } from "../../../components/choice.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { sheet } from "../../../components/sheet.js";
import { b, component, div, p, span } from "../../../components/tags.js";
import { words } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { isOwner, loadWorkshops, ownUid, workshopId } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { useConfirmed } from "../common/confirmed.js";
import { problemNotice } from "../common/problem-notice.js";

const ROLES = /** @type {const} */ (["member", "owner"]);

/** @param {{ member: Api.WorkshopMember, key?: string }} props */
export function MemberRow({ member }) {
  const [open, setOpen] = useState(false);
  const isSelf = member.id === ownUid.value;
  return div(
    { class: "thing" },
    ...identity(member, isSelf),
    isOwner.value && changeButton(member, () => setOpen(true)),
    open && component(MemberSheet, { member, isSelf, onClose: () => setOpen(false) }),
  );
}

/** @param {Api.WorkshopMember} member @param {boolean} isSelf */
function identity({ name, role }, isSelf) {
  const initials = name.split(/\s+/).map((part) => [...part][0] ?? "").join("").slice(0, 2).toUpperCase();
  return [
    span({ class: "face", "aria-hidden": "true" }, initials),
    div(
      {},
      b({}, name),
      p({ class: "quiet-text" }, words.value.common.roles[role], isSelf && ` · ${shopWords.value.team.you}`),
    ),
  ];
}

/** @param {Api.WorkshopMember} member @param {() => void} onClick */
function changeButton({ name }, onClick) {
  return actionButton({
    label: shopWords.value.team.change,
    about: name,
    icon: "pencil",
    kind: "quiet",
    iconOnly: true,
    onClick,
  });
}

/** @param {{ member: Api.WorkshopMember, isSelf: boolean, onClose: () => void }} props */
function MemberSheet({ member, isSelf, onClose }) {
  const { problem, run } = useCommand();
  const text = shopWords.value.team;
  const id = workshopId.value;
  const { button } = useConfirmed({
    label: text.remove,
    about: member.name,
    icon: "trash-2",
    work: () =>
      call("DELETE /workshops/{workshopId}/members/{userId}", { workshopId: id, userId: member.id }).then(
        loadWorkshops,
      ).then(onClose),
  });
  const change = (/** @type {Api.WorkshopMember["role"]} */ role) =>
    void run(async () => {
      await call("PATCH /workshops/{workshopId}/members/{userId}", { workshopId: id, userId: member.id }, {
        body: { role },
      });
      await loadWorkshops();
    });
  return sheet(
    { title: member.name, onClose },
    needsConnection(),
    roleChoice(member.role, change),
    problemNotice(problem),
    !isSelf && button,
  );
}

/** @param {Api.WorkshopMember["role"]} role @param {(role: Api.WorkshopMember["role"]) => void} onChange */
export function roleChoice(role, onChange) {
  const text = shopWords.value.team;
  return div(
    { class: "stack" },
    choice({
      label: text.role,
      value: role,
      options: ROLES.map((value) => ({ value, label: words.value.common.roles[value] })),
      onChange,
    }),
    p({ class: "quiet-text" }, text.roleHelp[role]),
  );
}
