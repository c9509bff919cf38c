// Scan: finds an order by the code of its slip, which the camera reads where the browser can, or by its number.

import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { sheet } from "../../components/sheet.js";
import { component, form, p, video } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { tokenIn } from "../../domain/codes.js";
import { orderWords } from "../../words/orders.js";
import { orderOfCode, orderOfNumber } from "../../state/codes.js";
import { go } from "../../state/router.js";
import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { canScan, watch } from "./camera.js";

/** The button, and the sheet that it opens. */
export function part() {
  const [isOpen, setOpen] = useState(false);
  return [
    actionButton({
      label: orderWords.value.scan.title,
      icon: "scan-line",
      iconOnly: true,
      onClick: () => setOpen(true),
    }),
    isOpen && component(Scan, { onClose: () => setOpen(false) }),
  ];
}

/** @param {{ onClose: () => void }} props */
function Scan({ onClose }) {
  const { said, busy, run } = useCommand();
  const [missing, setMissing] = useState("");
  const { scan } = orderWords.value;
  /** @param {() => Promise<string>} find @param {string} otherwise */
  const follow = (find, otherwise) =>
    void run(async () => {
      const id = await find();
      if (!id) return setMissing(otherwise);
      onClose();
      go(`/orders/${id}`);
    });
  const onCode = (/** @type {string} */ text) => {
    const token = tokenIn(text);
    if (token) follow(() => orderOfCode(token), scan.unknown);
    else setMissing(scan.unknown);
  };
  const onNumber = (/** @type {string} */ number) =>
    follow(() => orderOfNumber(number), scan.noOrder(number));
  return sheet(
    { title: scan.title, onClose },
    component(Camera, { onCode }),
    component(NumberForm, { problem: missing || said, busy, onType: () => setMissing(""), onNumber }),
  );
}

/** @param {{ problem: string, busy: boolean, onType: () => void, onNumber: (number: string) => void }} props */
function NumberForm({ problem, busy, onType, onNumber }) {
  const [number, setNumber] = useState("");
  const { scan } = orderWords.value;
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (number) onNumber(number);
  };
  const type = (/** @type {string} */ text) => {
    setNumber(text.replace(/\D/g, ""));
    onType();
  };
  return form(
    { class: "stack", onSubmit: submit },
    textField({
      label: scan.number,
      value: number,
      inputMode: "numeric",
      maxLength: 15,
      autocomplete: "off",
      onInput: type,
    }),
    problem && p({ class: "field-problem", role: "alert" }, problem),
    actionButton({ label: scan.open, kind: "main", wide: true, type: "submit", busy, disabled: !number }),
  );
}

/** What the camera sees; a sentence where there is none, or it may not be used. @param {{ onCode: (text: string) => void }} props */
function Camera({ onCode }) {
  const element = useRef(/** @type {HTMLVideoElement | null} */ (null));
  const latest = useRef(onCode);
  latest.current = onCode;
  const [state, setState] = useState(
    /** @type {"starting" | "seeing" | "none"} */ (canScan() ? "starting" : "none"),
  );
  useEffect(() => {
    if (!element.current || state === "none") return;
    return watch(element.current, {
      onStart: () => setState("seeing"),
      onCode: (text) => latest.current(text),
      onFailure: () => setState("none"),
    });
  }, []);
  const { scan } = orderWords.value;
  if (state === "none") return p({ class: "quiet-text" }, scan.noCamera);
  return [
    video({ class: "scan-video", ref: element, playsInline: true, muted: true, "aria-hidden": true }),
    p({ class: "quiet-text" }, state === "seeing" ? scan.help : scan.starting),
  ];
}
