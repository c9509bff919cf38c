// The field for a drawn signature. Only loaded when somebody wants to draw.

import SignaturePad from "./signature_pad.js";

// Limits of the API.
const MAX_STROKES = 64;
const MAX_POINTS = 512;
const MAX_BYTES = 32_000;

/** Makes the canvas a field to draw in. `drawn` is what was drawn before; `changed` is called after each stroke. */
export function openPad(canvas, drawn, changed) {
  const pad = new SignaturePad(canvas, { minWidth: 0.8, maxWidth: 2.4, penColor: getComputedStyle(canvas).color });
  let width = 0;
  // A canvas forgets its picture when its size changes, as when a phone is turned.
  const resize = () => {
    const box = canvas.getBoundingClientRect();
    if (!box.width || box.width === width) return;
    const groups = width ? pad.toData() : drawn;
    const scale = width ? Math.min(1, box.width / width) : 1;
    width = box.width;
    canvas.width = box.width * devicePixelRatio;
    canvas.height = box.height * devicePixelRatio;
    canvas.getContext("2d").scale(devicePixelRatio, devicePixelRatio);
    pad.clear();
    pad.fromData(scale === 1 ? groups : groups.map((group) => scaled(group, scale)));
    changed(pad.toData());
  };
  new ResizeObserver(resize).observe(canvas);
  pad.addEventListener("endStroke", () => {
    changed(pad.toData());
    if (pad.toData().length >= MAX_STROKES) pad.off();
  });
  return {
    clear() {
      pad.clear();
      pad.on();
    },
  };
}

function scaled(group, scale) {
  return { ...group, points: group.points.map((point) => ({ ...point, x: point.x * scale, y: point.y * scale })) };
}

/** The strokes as the API takes them: lists of [x, y] in pixels. Points are left out where there are too many. */
export function strokesOf(drawn) {
  let strokes = drawn.slice(0, MAX_STROKES).map(({ points }) => points.map(({ x, y }) => [tenth(x), tenth(y)]));
  while (strokes.some((stroke) => stroke.length > MAX_POINTS) || JSON.stringify(strokes).length > MAX_BYTES) {
    strokes = strokes.map((stroke) => stroke.filter((_, at) => at % 2 === 0 || at === stroke.length - 1));
  }
  return strokes;
}

const tenth = (value) => Math.max(0, Math.round(value * 10) / 10);
