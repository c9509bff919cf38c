// Workshop: everything that is set up once, and everything about this account.

import { frame } from "../../components/frame.js";
import { linkRow, linkRows } from "../../components/link-row.js";
import { component, h2, section } from "../../components/tags.js";
import { words } from "../../i18n/index.js";
import { shopWords } from "../../i18n/shop.js";
import { workshop } from "../../state/workshops.js";
import { session } from "../../state/session.js";
import { Appearance } from "./overview/appearance.js";
import { DeleteWorkshop } from "./overview/delete-workshop.js";
import { Feedback } from "./overview/feedback.js";
import { SignOut } from "./overview/sign-out.js";
import { Wall } from "./overview/wall.js";
import { Workshops } from "./overview/workshops.js";

/** @typedef {keyof typeof shopWords.value.overview.rows} Row */

export function screen() {
  const { title, groups } = shopWords.value.overview;
  return frame(
    { title, place: "shop" },
    section(
      { class: "stack" },
      h2({}, groups.workshop),
      linkRows(
        {},
        row("sign", "store", workshop.value?.name),
        row("documents", "file-text"),
        row("messages", "message-circle"),
        row("team", "users", workshop.value && words.value.common.people(workshop.value.members.length)),
        row("plan", "wallet", workshop.value && words.value.common.plans[workshop.value.plan]),
        row("files", "image"),
        row("activity", "history"),
      ),
      component(Workshops, {}),
    ),
    section(
      { class: "stack" },
      h2({}, groups.me),
      linkRows(
        {},
        row("account", "user", session.value.me?.name),
        row("devices", "smartphone"),
        row("keys", "key-round"),
        row("export", "download"),
      ),
    ),
    component(Appearance, {}),
    more(groups.more),
  );
}

/** @param {string} title */
function more(title) {
  return section(
    { class: "stack" },
    h2({}, title),
    component(Wall, {}),
    component(Feedback, {}),
    component(SignOut, {}),
    component(DeleteWorkshop, {}),
  );
}

/** @param {Row} name @param {string} icon @param {string | null} [detail] */
function row(name, icon, detail) {
  const [title, usual] = shopWords.value.overview.rows[name];
  return linkRow({ href: `/shop/${name}`, title: title ?? "", detail: detail ?? usual, icon });
}
