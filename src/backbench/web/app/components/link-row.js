// Link rows: a list of places to go to, each with an icon, a word and a detail.

import { a, b, div, icon, span } from "./tags.js";

/** @param {{ href: string, title: string, detail?: any, icon?: string, badge?: any }} props */
export function linkRow({ href, title, detail, icon: glyph, badge }) {
  return a(
    { class: "link-row", href },
    glyph ? icon(glyph) : span({}),
    span({}, b({}, title), detail && span({ class: "quiet-text" }, detail)),
    span({ class: "link-row-end" }, badge, icon("chevron-right")),
  );
}

/** @param {{}} _props @param {any[]} rows */
export const linkRows = (_props, ...rows) => div({ class: "link-rows" }, ...rows);
