// Invitation link: the address of an invitation, to share, to copy, or to scan.

import { actionButton } from "../../../components/action-button.js";
import { component, div, img, p } from "../../../components/tags.js";
import { words } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { workshop } from "../../../state/workshops.js";
import { useEffect, useState } from "../../../vendor/hooks.js";
import { isShared } from "../../order/ways.js";
import { copied } from "../../send/clipboard.js";

/** @param {Api.InvitationAddress} address */
export const invitationLink = (address) => component(InvitationLink, { address });

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
