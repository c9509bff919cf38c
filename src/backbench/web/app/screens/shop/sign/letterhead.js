// Letterhead: the head of an estimate as its PDF draws it.

import { component, div, p, span } from "../../../components/tags.js";
import { DEFAULT_ACCENT, mixed, readable } from "../../../domain/shades.js";
import { shopWords } from "../../../words/shop.js";
import { loadSummaries, summaries } from "../../../state/summaries.js";
import { documentSettings } from "../../../state/workshops.js";
import { useEffect, useRef } from "../../../vendor/hooks.js";

/** @typedef {import("../../../components/sign.js").Look} Look */

const WHITE = "#FFFFFF";
const TINT_SHARE = 0.12;

/** @param {{ look: Look & { tagline?: string } }} props */
export const letterhead = (props) => component(Letterhead, props);

/** @param {Parameters<typeof letterhead>[0]} props */
function Letterhead({ look }) {
  const element = useRef(/** @type {any} */ (null));
  useEffect(() => paint(element.current, look), [look]);
  useEffect(() => void loadSummaries({}), []);
  const text = shopWords.value.sign;
  const settings = documentSettings.value;
  const contact = [settings?.address, settings?.phone, settings?.email].filter(Boolean).join("\n");
  return div(
    { class: "letterhead", ref: element, "aria-label": text.paperHead, role: "img" },
    div(
      { class: "letterhead-top" },
      settings?.showLogo !== false && span({ class: "letterhead-logo" }, look.logo),
      div(
        {},
        p({ class: "letterhead-name" }, look.name),
        look.tagline && p({ class: "letterhead-small" }, look.tagline),
      ),
      p({ class: "letterhead-small letterhead-contact" }, contact),
    ),
    p({ class: "letterhead-kind" }, text.estimate),
    p({ class: "letterhead-name" }, summaries.value[0]?.name ?? text.sample),
    span({ class: "letterhead-rule" }),
  );
}

/** @param {HTMLElement | null} element @param {Look} look */
function paint(element, look) {
  const accent = look.accentColor ?? DEFAULT_ACCENT;
  element?.style.setProperty("--accent", accent);
  element?.style.setProperty("--accent-text", readable(accent, WHITE));
  element?.style.setProperty("--accent-tint", mixed(WHITE, accent, TINT_SHARE));
  element?.style.setProperty("--title-font", `var(--title-${look.titleFont})`);
}
