// The field for a drawn signature. Only loaded when somebody wants to draw.

import { loadModule } from "./elements.js";

const { default: SignaturePad } = await loadModule("./signature_pad.js");

// Limits of the API.
const MAX_STROKES = 64;
const MAX_POINTS = 512;
const MAX_BYTES = 32_000;

/** Makes the canvas a field to draw in. `drawn`, {groups, width}, is what was drawn before; `changed` gets it after each stroke. */
export function openPad(canvas, drawn, changed) {
  const pad = new SignaturePad(canvas, { minWidth: 0.8, maxWidth: 2.4, penColor: getComputedStyle(canvas).color });
  // What was drawn, at the width of the field at that time: it is always scaled from there, so turning a phone twice
  // changes nothing.
  let original = { groups: drawn.groups ?? [], width: drawn.width ?? 0 };
  let width = 0;
  const keep = () => {
    original = { groups: pad.toData(), width };
    changed(original);
  };
  // A canvas forgets its picture when its size changes, as when a phone is turned.
  const resize = () => {
    const box = canvas.getBoundingClientRect();
    if (!box.width || box.width === width) return;
    width = box.width;
    const scale = original.width ? Math.min(1, width / original.width) : 1;
    canvas.width = box.width * devicePixelRatio;
    canvas.height = box.height * devicePixelRatio;
    canvas.getContext("2d").scale(devicePixelRatio, devicePixelRatio);
    pad.clear();
    pad.fromData(scale === 1 ? original.groups : original.groups.map((group) => scaled(group, scale)));
  };
  new ResizeObserver(resize).observe(canvas);
  pad.addEventListener("endStroke", () => {
    keep();
    if (pad.toData().length >= MAX_STROKES) pad.off();
  });
  return {
    clear() {
      pad.clear();
      pad.on();
      keep();
    },
  };
}

function scaled(group, scale) {
  const points = group.points.map((point) => ({ ...point, x: point.x * scale, y: point.y * scale }));
  return { ...group, minWidth: group.minWidth * scale, maxWidth: group.maxWidth * scale, points };
}

/** The strokes as the API takes them: lists of [x, y] in pixels. Points are left out where there are too many. */
export function strokesOf(drawn) {
  let strokes = drawn.groups.slice(0, MAX_STROKES).map(({ points }) => points.map(({ x, y }) => [tenth(x), tenth(y)]));
  while (strokes.some((stroke) => stroke.length > MAX_POINTS) || JSON.stringify(strokes).length > MAX_BYTES) {
    strokes = strokes.map((stroke) => stroke.filter((_, at) => at % 2 === 0 || at === stroke.length - 1));
  }
  return strokes;
}

const tenth = (value) => Math.max(0, Math.round(value * 10) / 10);
