// Papers: what goes to the customer of an order and onto the thing: the slip, the code, and the customer's signature.

import { call } from "../../api/client.js";
import { address } from "../../api/early.js";
import { actionButton } from "../../components/action-button.js";
import { choice, languageChoice, selectField, toggle } from "../../components/controls.js";
import { isOnline, needsConnection, useCommand } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { component, div, img, p, path, svg } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { amount, date, weekday } from "../../domain/format.js";
import { isLocal } from "../../domain/ids.js";
import { openFile } from "../../local/system.js";
import { customerOf } from "../../state/customers.js";
import { clearSignature, detailsOf, sign, signatureOf } from "../../state/order-details.js";
import { order as orderOf } from "../../state/orders.js";
import { labelPlace, sendChoices, slipFormat } from "../../state/preferences.js";
import { clock } from "../../state/tickets.js";
import { currency } from "../../state/workshops.js";
import { useRef, useState } from "../../vendor/hooks.js";
import { orderWords } from "../../words/orders.js";
import { wordsLanguage } from "../../words/words.js";
import { copied } from "../send/clipboard.js";

/** @param {{ orderId: string }} props */
export function Papers({ orderId }) {
  const [shown, show] = useState(/** @type {"slip" | "code" | "sign" | ""} */ (""));
  const { papers } = orderWords.value;
  const disabled = isLocal(orderId) || !isOnline();
  const { strokes } = signatureOf(orderId);
  const onClose = () => show("");
  return div(
    { class: "stack papers" },
    div(
      { class: "papers-ways" },
      actionButton({ label: papers.slip, icon: "printer", disabled, onClick: () => show("slip") }),
      actionButton({ label: papers.code, icon: "qr-code", disabled, onClick: () => show("code") }),
      actionButton({
        label: strokes ? papers.signed : papers.sign,
        icon: "signature",
        onClick: () => show("sign"),
      }),
    ),
    strokes && component(Signed, { orderId }),
    shown === "slip" && component(SlipSheet, { orderId, onClose }),
    shown === "code" && component(CodeSheet, { orderId, onClose }),
    shown === "sign" && component(SignSheet, { orderId, onClose }),
  );
}

// Slip sheet: on which paper, in which language and for which piece a slip is printed.

const FORMATS = /** @type {const} */ (["a5", "receipt-80", "receipt-58", "label-62x29", "label-54x25"]);

/** @param {{ orderId: string, onClose: () => void }} props */
function SlipSheet({ orderId, onClose }) {
  const [locale, setLocale] = useState(
    customerOf(detailsOf(orderId).customerId ?? "")?.locale ?? sendChoices.value.locale ??
      wordsLanguage.value,
  );
  const [piece, setPiece] = useState("1");
  const { papers } = orderWords.value;
  const { pieces = 1 } = detailsOf(orderId).item ?? {};
  const isOnLabel = slipFormat.value.startsWith("label") && Boolean(detailsOf(orderId).place);
  const place = `${isOnLabel && labelPlace.value}`;
  const href = address(`/orders/${orderId}/slip`, { format: slipFormat.value, locale, piece, place });
  const print = actionButton({
    label: papers.print,
    icon: "printer",
    kind: "main",
    wide: true,
    onClick: () => openFile(href),
  });
  return sheet(
    { title: papers.slip, onClose, foot: print },
    paper(),
    languageChoice({ label: orderWords.value.tell.language, value: locale, onChange: setLocale }),
    pieces > 1 && pieceChoice(piece, pieces, setPiece),
    isOnLabel && toggle({
      label: papers.place,
      value: labelPlace.value,
      onChange: (value) => (labelPlace.value = value),
    }),
    p({ class: "quiet-text" }, papers.printHelp),
    needsConnection(),
  );
}

function paper() {
  const { papers } = orderWords.value;
  return choice({
    label: papers.paper,
    value: slipFormat.value,
    options: FORMATS.map((value) => ({ value, label: papers.formats[value] })),
    onChange: (value) => (slipFormat.value = value),
  });
}

/** @param {string} piece @param {number} pieces @param {(piece: string) => void} onChange */
function pieceChoice(piece, pieces, onChange) {
  const { papers } = orderWords.value;
  const all = Array.from({ length: pieces }, (_, at) => `${at + 1}`);
  return selectField({
    label: papers.piece,
    value: piece,
    options: all.map((value) => ({ value, label: papers.pieceOf(value, pieces) })),
    onChange,
  });
}

// Code sheet: the code of an order, large enough for the customer's phone, and a new one where the old one must end.

/** @param {{ orderId: string, onClose: () => void }} props */
function CodeSheet({ orderId, onClose }) {
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

// Sign sheet: the customer signs on the screen for the thing, its condition and the limit. It needs no connection.

/** @param {{ orderId: string, onClose: () => void }} props */
function SignSheet({ orderId, onClose }) {
  return component(signatureOf(orderId).strokes ? Kept : Signing, { orderId, onClose });
}

/** @param {{ orderId: string, onClose: () => void }} props */
function Kept({ orderId, onClose }) {
  const { papers } = orderWords.value;
  return sheet(
    { title: papers.signed, onClose },
    component(Signed, { orderId }),
    actionButton({
      label: papers.signAgain,
      icon: "trash-2",
      kind: "quiet",
      onClick: () => clearSignature(orderId),
    }),
  );
}

/** @param {{ orderId: string, onClose: () => void }} props */
function Signing({ orderId, onClose }) {
  const [strokes, setStrokes] = useState(/** @type {number[][][]} */ ([]));
  const [name, setName] = useState("");
  const { papers } = orderWords.value;
  const disabled = strokes.length === 0;
  const keep = () => {
    sign(orderId, strokes, name.trim());
    onClose();
  };
  const foot = actionButton({
    label: papers.keep,
    kind: "main",
    wide: true,
    isFinal: true,
    disabled,
    onClick: keep,
  });
  return sheet(
    { title: papers.sign, onClose, foot },
    div({}, ...signedFor(orderId).map((line, at) => p({ key: at }, line))),
    signaturePad({ label: papers.signature, strokes, onChange: setStrokes }),
    actionButton({ label: papers.clear, kind: "quiet", disabled, onClick: () => setStrokes([]) }),
    textField({ label: papers.signer, value: name, maxLength: 100, autocomplete: "off", onInput: setName }),
  );
}

/** What the customer sees above the line: the thing, its condition, the day and the limit. @param {string} id */
function signedFor(id) {
  const text = orderWords.value;
  const { item, dueOn, priceLimit } = detailsOf(id);
  return [
    orderOf(id).value?.title,
    item?.description,
    item?.condition,
    dueOn && `${text.dueOn}: ${weekday(dueOn, clock.value.today, wordsLanguage.value)}`,
    priceLimit !== undefined && text.limitIs(amount(priceLimit, currency.value, wordsLanguage.value)),
  ].filter((line) => typeof line === "string" && line !== "");
}

/** @param {{ orderId: string }} props */
function Signed({ orderId }) {
  const { papers } = orderWords.value;
  const { strokes = [], name = "", signedAt = "" } = signatureOf(orderId);
  return div(
    { class: "signed" },
    signature({ label: papers.signature, strokes }),
    p(
      { class: "quiet-text" },
      [papers.signature, name, signedAt && date(signedAt, wordsLanguage.value)].filter(Boolean).join(", "),
    ),
  );
}

// Signature pad: a field to sign in with a finger, and a signature as it was drawn.
//
// Strokes are lists of points [x, y] on a field of 600 × 200, whatever the size of the screen: it can be turned meanwhile.

/** @typedef {number[][][]} Strokes */

const WIDTH = 600;
const HEIGHT = 200;
// Limits of the API, and a distance below which a point adds nothing that can be seen.
const MAX_STROKES = 64;
const MAX_POINTS = 512;
const MAX_SIZE = 30_000;
const NEAR = 3;

/** @param {{ label: string, strokes: Strokes, onChange: (strokes: Strokes) => void }} props */
const signaturePad = (props) => component(Pad, props);

/** @param {{ label: string, strokes: Strokes, onChange: (strokes: Strokes) => void }} props */
function Pad({ label, strokes, onChange }) {
  // What was drawn since the last time the field was painted is here, too: a pen is faster than that.
  const drawn = useRef(strokes);
  const isDown = useRef(false);
  if (!isDown.current) drawn.current = strokes;
  /** @param {Strokes} next */
  const keep = (next) => onChange(drawn.current = next);
  return svg(
    {
      class: "signature-pad",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": label,
      onPointerDown: (event) => {
        if (drawn.current.length >= MAX_STROKES || JSON.stringify(drawn.current).length > MAX_SIZE) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        isDown.current = true;
        keep([...drawn.current, [pointOf(event)]]);
      },
      onPointerMove: (event) => {
        if (isDown.current) keep(longer(drawn.current, pointOf(event)));
      },
      onPointerUp: () => (isDown.current = false),
      onPointerCancel: () => (isDown.current = false),
    },
    path({ d: pathOf(strokes) }),
  );
}

/** The strokes with the point at the end of the last one. @param {Strokes} strokes @param {number[]} point */
function longer(strokes, point) {
  const stroke = strokes.at(-1) ?? [];
  const [x = 0, y = 0] = stroke.at(-1) ?? [];
  const isNear = Math.hypot(x - (point[0] ?? 0), y - (point[1] ?? 0)) < NEAR;
  if (isNear || stroke.length >= MAX_POINTS) return strokes;
  return [...strokes.slice(0, -1), [...stroke, point]];
}

/** @param {import("../../vendor/preact.js").TargetedPointerEvent<SVGSVGElement>} event */
function pointOf({ currentTarget, clientX, clientY }) {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  const within = (/** @type {number} */ share, /** @type {number} */ most) =>
    Math.round(Math.min(1, Math.max(0, share)) * most * 10) / 10;
  return [within((clientX - left) / width, WIDTH), within((clientY - top) / height, HEIGHT)];
}

/** @param {{ label: string, strokes: Strokes }} props */
function signature({ label, strokes }) {
  const points = strokes.flat();
  const [xs, ys] = [points.map(([x = 0]) => x), points.map(([, y = 0]) => y)];
  const [left, top] = [Math.min(...xs) - 3, Math.min(...ys) - 3];
  const box = [left, top, Math.max(...xs) + 3 - left, Math.max(...ys) + 3 - top];
  return svg(
    { class: "signature", viewBox: box.join(" "), role: "img", "aria-label": label },
    path({ d: pathOf(strokes) }),
  );
}

/** A single point is a line of no length, which a round pen draws as a dot. @param {Strokes} strokes */
function pathOf(strokes) {
  return strokes.map(([first = [], ...rest]) =>
    `M${first.join(" ")}${rest.length ? rest.map((point) => `L${point.join(" ")}`).join("") : "h.01"}`
  ).join("");
}
