// Signature pad: a field to sign in with a finger, and a signature as it was drawn.
//
// Strokes are lists of points [x, y] on a field of 600 × 200, whatever the size of the screen: it can be turned meanwhile.

import { useRef } from "../vendor/hooks.js";
import { component, path, svg } from "./tags.js";

/** @typedef {number[][][]} Strokes */

const WIDTH = 600;
const HEIGHT = 200;
// Limits of the API, and a distance below which a point adds nothing that can be seen.
const MAX_STROKES = 64;
const MAX_POINTS = 512;
const MAX_SIZE = 30_000;
const NEAR = 3;

/** @param {{ label: string, strokes: Strokes, onChange: (strokes: Strokes) => void }} props */
export const signaturePad = (props) => component(Pad, props);

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

/** @param {import("../vendor/preact.js").TargetedPointerEvent<SVGSVGElement>} event */
function pointOf({ currentTarget, clientX, clientY }) {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  const within = (/** @type {number} */ share, /** @type {number} */ most) =>
    Math.round(Math.min(1, Math.max(0, share)) * most * 10) / 10;
  return [within((clientX - left) / width, WIDTH), within((clientY - top) / height, HEIGHT)];
}

/** @param {{ label: string, strokes: Strokes }} props */
export function signature({ label, strokes }) {
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
