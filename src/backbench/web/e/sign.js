// The workshop's sign on top of the page, in its accent colour, and the foot of the page.

import { el } from "./elements.js";

const DEFAULT_ACCENT = "#3A3733";
const [INK, PAPER] = ["#1c1815", "#fffdf8"];
// WCAG: text on the accent colour needs a contrast of 4.5 : 1.
const TEXT_CONTRAST = 4.5;
// Of the logo, in pixels.
const [LOGO_WIDTH, LOGO_HEIGHT] = [136, 54];

/** `requestLogo` requests the picture of the logo. `problem`: why the page is not in the other language. */
export function sign({ estimate, texts, locale, problem }, switchLanguage, requestLogo) {
  const { letterhead } = estimate;
  const board = el(
    "header",
    { class: "sign" },
    el(
      "div",
      { class: "board" },
      letterhead.logo && logo(letterhead.logo, requestLogo),
      el(
        "div",
        { lang: estimate.locale },
        el("p", { class: `name title-${letterhead.titleFont}` }, letterhead.name),
        letterhead.tagline && el("p", { class: "tagline" }, letterhead.tagline),
      ),
      el(
        "button",
        { class: "language", id: "language", lang: locale === "pl" ? "en" : "pl", onclick: switchLanguage },
        texts.other,
      ),
      problem && el("p", { role: "alert" }, problem),
    ),
  );
  const accent = letterhead.accentColor ?? DEFAULT_ACCENT;
  const root = document.documentElement.style;
  root.setProperty("--accent", accent);
  root.setProperty("--on-accent", readableOn(accent));
  return board;
}

/** The picture of the logo, once it was loaded: it stays when the page is drawn again. */
let picture = null;

/**
 * The picture that the documents have, an image or an emoji of their font: a system may have no emoji in colour. Until it is there
 * the emoji of the system. Drawn, so that the page needs no source of images.
 */
function logo(emoji, requestLogo) {
  const element = el("span", { class: "logo", "aria-hidden": "true" }, emoji);
  if (picture) show(element);
  else if (requestLogo) load(requestLogo).then((loaded) => loaded && show(element));
  return element;
}

async function load(requestLogo) {
  const response = await requestLogo();
  if (!response?.ok) return false;
  picture = await createImageBitmap(await response.blob()).catch(() => null);
  return picture !== null;
}

function show(element) {
  const scale = Math.min(LOGO_WIDTH / picture.width, LOGO_HEIGHT / picture.height);
  const canvas = el("canvas", { width: picture.width, height: picture.height });
  canvas.style.width = `${picture.width * scale}px`;
  canvas.style.height = `${picture.height * scale}px`;
  canvas.getContext("2d").drawImage(picture, 0, 0);
  element.classList.add("image");
  element.replaceChildren(canvas);
}

export function foot({ estimate, texts }) {
  return el("footer", {}, estimate.brandMark && el("p", {}, texts.brand));
}

/** Ink or paper, whichever is easier to read; black or white where neither is enough. */
function readableOn(color) {
  const [ink, paper] = [contrast(INK, color), contrast(PAPER, color)];
  if (Math.max(ink, paper) < TEXT_CONTRAST) return ink > paper ? "#000" : "#fff";
  return ink > paper ? INK : PAPER;
}

function contrast(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
