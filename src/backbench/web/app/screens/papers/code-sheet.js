// Code sheet: the code of an order, large enough for the customer's phone, and a new one where the old one must end.

import { call } from "../../api/client.js";
import { address } from "../../api/early.js";
import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { component, img, p } from "../../components/tags.js";
import { orderWords } from "../../words/orders.js";
import { detailsOf } from "../../state/order-details.js";
import { useState } from "../../vendor/hooks.js";
import { copied } from "../send/clipboard.js";

/** @param {{ orderId: string, onClose: () => void }} props */
export function CodeSheet({ orderId, onClose }) {
  const [generation, setGeneration] = useState(0);
  const { papers } = orderWords.value;
  const { number } = detailsOf(orderId);
  return sheet(
    { title: number ? papers.codeOf(number) : papers.code, onClose },
    img({
      // Another element with another fragment: after a renewal the browser asks for the image again.
      key: generation,
      class: "status-code",
      src: `${address(`/orders/${orderId}/status-code`)}#${generation}`,
      alt: papers.codeAlt,
    }),
    p({ class: "quiet-text" }, papers.codeHelp),
    needsConnection(),
    component(Copy, { key: `copy ${generation}`, orderId }),
    component(Renewal, { key: `renew ${generation}`, orderId, onDone: () => setGeneration(generation + 1) }),
  );
}

/** @param {{ orderId: string }} props */
function Copy({ orderId }) {
  const [isCopied, setCopied] = useState(false);
  const { said, busy, run } = useCommand();
  const { papers } = orderWords.value;
  const copy = () =>
    void run(async () => {
      await copied((await call("GET /orders/{orderId}/status-link", { orderId })).url);
      setCopied(true);
    });
  return [
    actionButton({
      label: isCopied ? papers.copied : papers.copy,
      icon: isCopied ? "check" : "copy",
      wide: true,
      busy,
      disabled: !isOnline(),
      onClick: copy,
    }),
    said && p({ class: "field-problem", role: "alert" }, said),
  ];
}

/** Asks first: what is printed ends. @param {{ orderId: string, onDone: () => void }} props */
function Renewal({ orderId, onDone }) {
  const [isAsking, ask] = useState(false);
  const { said, run } = useCommand();
  const { papers } = orderWords.value;
  const renew = () =>
    void run(() => call("POST /orders/{orderId}/status-link/renew", { orderId }).then(({ url }) => url)).then(
      (isDone) => isDone && onDone(),
    );
  return [
    isAsking
      ? notice({ kind: "warning", text: papers.renewAsk, action: { label: papers.renewYes, onClick: renew } })
      : actionButton({ label: papers.renew, icon: "refresh-cw", kind: "quiet", onClick: () => ask(true) }),
    said && p({ class: "field-problem", role: "alert" }, said),
  ];
}
