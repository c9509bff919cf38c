// Team: who works in the workshop, and who is invited.

import { useAnswer } from "../../components/answer.js";
import { atField, problemNotice, rowOf, rowsOf, settingsFrame, useConfirmed } from "./kit.js";
import { inWorkshop, isOwner, loadWorkshops, ownUid, workshop, workshopId } from "../../state/workshops.js";
import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/controls.js";
import { isOnline, needsConnection, useCommand } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { component, div, h2, img, p, section, span } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { shortDate } from "../../domain/format.js";
import { offers } from "../../local/system.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { mailWords } from "../../words/mail.js";
import { shopWords } from "../../words/shop.js";
import { words, wordsLanguage } from "../../words/words.js";
import { isShared } from "../order/message-sheet.js";
import { copied } from "../send/clipboard.js";
import { madeOnce } from "./issued.js";

export function screen() {
  const text = shopWords.value.team;
  const members = workshop.value?.members ?? [];
  return settingsFrame(
    { title: text.title },
    rowsOf(members.map((member) => component(MemberRow, { member, key: member.id }))),
    members.length === 1 && p({ class: "quiet-text" }, text.alone),
    needsConnection(),
    isOwner.value ? component(Invitations, {}) : p({ class: "quiet-text" }, text.ownersOnly),
    component(Leave, {}),
  );
}

function Invitations() {
  const [open, setOpen] = useState(false);
  const answered = useAnswer(
    () => call("GET /workshops/{workshopId}/invitations", inWorkshop()),
    // Who has joined is not invited any more.
    `${workshopId.value} ${workshop.value?.members.length}`,
  );
  const text = shopWords.value.team;
  const invitations = answered.data?.invitations ?? [];
  return section(
    { class: "stack" },
    actionButton({ label: text.invite, icon: "user-plus", kind: "main", onClick: () => setOpen(true) }),
    invitations.length > 0 && h2({}, text.invitations),
    rowsOf(invitations.map((invitation) => component(InvitationRow, { invitation, key: invitation.id }))),
    open && component(InviteSheet, {
      onClose: () => setOpen(false),
      onInvited: (invitation) => answered.show({ invitations: [invitation, ...invitations] }),
    }),
  );
}

function Leave() {
  const [open, setOpen] = useState(false);
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.team;
  const uid = ownUid.value;
  if (!uid || (workshop.value?.members.length ?? 0) < 2) return null;
  const leave = () =>
    void run(async (go) => {
      await call("DELETE /workshops/{workshopId}/members/{userId}", {
        workshopId: workshopId.value,
        userId: uid,
      });
      await loadWorkshops();
      go("/", { replace: true });
    });
  const foot = actionButton({ label: text.leave, kind: "danger", isFinal: true, busy, onClick: leave });
  return div(
    { class: "stack" },
    actionButton({ label: text.leave, icon: "log-out", kind: "quiet", onClick: () => setOpen(true) }),
    open && sheet(
      { title: text.leaveTitle, onClose: () => setOpen(false), foot, problem: problemNotice(problem) },
      p({}, text.leaveText(workshop.value?.name ?? "")),
      needsConnection(),
    ),
  );
}

// Row of an open invitation: to whom, until when, its link again, and a way to withdraw it.

/** @param {{ invitation: Api.Invitation, key?: string }} props */
function InvitationRow({ invitation }) {
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
  return rowOf(
    "mail",
    email,
    [detailOf(invitation), said && p({ class: "field-problem", role: "alert" }, said)],
    actionButton({
      label: text.linkOf,
      about: email,
      icon: "link",
      kind: "quiet",
      iconOnly: true,
      busy,
      disabled: !isOnline(),
      onClick: show,
    }),
    button,
    address &&
      sheet({ title: text.linkFor(email), onClose: () => setAddress(null) }, invitationLink(address)),
  );
}

/** @param {Api.Invitation} invitation */
function detailOf({ role, expiresAt }) {
  const { roles } = shopWords.value;
  const { dates } = words.value.common;
  return `${roles[role]} · ${dates.until(shortDate(expiresAt, wordsLanguage.value))}`;
}

// Invite sheet: an address, a role, and then the link of the invitation.

/** @typedef {{ email: string, role: Api.Invitation["role"] }} Draft */

/** @param {{ onClose: () => void, onInvited: (invitation: Api.Invitation) => void }} props */
function InviteSheet({ onClose, onInvited }) {
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

/** @param {Api.InvitationAddress} address */
const invitationLink = (address) => component(InvitationLink, { address });

/** @param {{ address: Api.InvitationAddress }} props */
function InvitationLink({ address }) {
  const text = shopWords.value.team;
  const [isCopied, setCopied] = useState(false);
  const message = text.passOn(workshop.value?.name ?? "", address.url);
  return div(
    { class: "stack" },
    !!navigator.share && actionButton({
      label: text.shareInvitation,
      icon: "share-2",
      kind: "main",
      wide: true,
      onClick: () => void isShared(message),
    }),
    actionButton({
      label: isCopied ? words.value.common.buttons.copied : text.copyInvitation,
      icon: isCopied ? "check" : "copy",
      wide: true,
      onClick: () => void copied(address.url).then(() => setCopied(true)),
    }),
    component(Code, { svg: address.qrCode }),
    p({ class: "quiet-text" }, text.codeHelp),
  );
}

/** @param {{ svg: string }} props */
function Code({ svg }) {
  const [source, setSource] = useState("");
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    setSource(url);
    return () => URL.revokeObjectURL(url);
  }, [svg]);
  return source && img({ class: "status-code", src: source, alt: shopWords.value.team.invitationCode });
}

// Row of a member: name and role; for owners a way to change the role or to remove the person.

const ROLES = /** @type {const} */ (["member", "owner"]);

/** @param {{ member: Api.WorkshopMember, key?: string }} props */
function MemberRow({ member }) {
  const [open, setOpen] = useState(false);
  const { name, role } = member;
  const text = shopWords.value.team;
  const isSelf = member.id === ownUid.value;
  const initials = name.split(/\s+/).map((part) => [...part][0] ?? "").join("").slice(0, 2).toUpperCase();
  const change = { label: text.change, about: name, icon: "pencil", kind: "quiet", iconOnly: true };
  return rowOf(
    { picture: span({ class: "face", "aria-hidden": "true" }, initials) },
    name,
    [shopWords.value.roles[role] + (isSelf ? ` · ${text.you}` : "")],
    isOwner.value && actionButton({ .../** @type {any} */ (change), onClick: () => setOpen(true) }),
    open && component(MemberSheet, { member, isSelf, onClose: () => setOpen(false) }),
  );
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
function roleChoice(role, onChange) {
  const text = shopWords.value.team;
  return div(
    { class: "stack" },
    choice({
      label: text.role,
      value: role,
      options: ROLES.map((value) => ({ value, label: shopWords.value.roles[value] })),
      onChange,
    }),
    p({ class: "quiet-text" }, text.roleHelp[role]),
  );
}
