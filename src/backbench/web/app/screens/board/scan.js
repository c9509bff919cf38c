// Scan: finds an order by the code of its slip, which the camera reads where the browser can, or by its number.

import { call, request } from "../../api/client.js";
import { isProblem } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { sheet } from "../../components/sheet.js";
import { component, form, p, video } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { tickets } from "../../state/tickets.js";
import { workshopId } from "../../state/workshops.js";
import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { orderWords } from "../../words/orders.js";

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
    void run(async (go) => {
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

/** @typedef {{ detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> }} Detector */
/** @typedef {{ onStart: () => void, onCode: (text: string) => void, onFailure: () => void }} Watcher */

const EVERY = 200;

/** The interface is in Chromium alone, which has no types here. @returns {(new (options: { formats: string[] }) => Detector) | undefined} */
const detectorOf = () => /** @type {any} */ (globalThis).BarcodeDetector;

/** Whether there is a camera that a page may ask for, and a reader of codes. */
function canScan() {
  return !!detectorOf() && !!navigator.mediaDevices?.getUserMedia;
}

/** Shows the camera at the back, and tells each code once. Returns what ends it. @param {HTMLVideoElement} video @param {Watcher} watcher */
function watch(video, { onStart, onCode, onFailure }) {
  const state = { isOver: false, last: "", stream: /** @type {MediaStream | null} */ (null) };
  const stop = () => {
    state.isOver = true;
    state.stream?.getTracks().forEach((track) => track.stop());
  };
  const run = async () => {
    const Detector = detectorOf();
    if (!Detector) return;
    const detector = new Detector({ formats: ["qr_code"] });
    state.stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    if (state.isOver) return stop();
    video.srcObject = state.stream;
    await video.play();
    onStart();
    while (!state.isOver) {
      const [found] = await detector.detect(video);
      if (found && found.rawValue !== state.last) onCode(state.last = found.rawValue);
      await new Promise((done) => setTimeout(done, EVERY));
    }
  };
  // Refused by the person or the system, taken by another app, or not there: the number can be typed.
  run().catch(() => {
    if (!state.isOver) onFailure();
    stop();
  });
  return stop;
}

/** The id of the order; "" where the code is of nobody's, or of another workshop. Needs a connection. Throws Problem. @param {string} token */
async function orderOfCode(token) {
  try {
    const { headers } = await request("GET /client/order", {}, { bearer: token, isPublic: true });
    return headers.get("Backbench-Order") ?? "";
  } catch (error) {
    // An old code, which was renewed, or that of an order which was deleted.
    if (isProblem(error) && error.status === 401) return "";
    throw error;
  }
}

/** The same by its number. An order that this device knows is found without a connection. Throws Problem. @param {string} digits */
async function orderOfNumber(digits) {
  const number = Number(digits);
  const known = tickets.value.find(({ facts }) => facts?.number === number);
  if (known) return known.order.id;
  const { summaries } = await call("GET /workshops/{workshopId}/order-summaries", {
    workshopId: workshopId.value,
    q: digits,
    limit: 100,
  });
  return summaries.find((one) => one.number === number)?.orderId ?? "";
}

const TOKEN = /^bbo_[0-9A-Za-z]{49}$/;

/** The token of a scanned text; "" where it is no address of an order. @param {string} text */
export function tokenIn(text) {
  const [address = "", token = ""] = text.trim().split("#");
  return address.endsWith("/o/") && TOKEN.test(token) ? token : "";
}
