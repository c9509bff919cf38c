// Workshop: everything that is set up once, and everything about this account.

import { frame } from "../../components/frame.js";
import { linkRow, linkRows } from "../../components/link-row.js";
import { component, h2, section } from "../../components/tags.js";
import { words } from "../../words/words.js";
import { shopWords } from "../../words/shop.js";
import { offers } from "../../local/offers.js";
import { customers } from "../../state/customers.js";
import { isOwner, workshop } from "../../state/workshops.js";
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
    section({ class: "stack" }, h2({}, groups.workshop), ofWorkshop(), component(Workshops, {})),
    section({ class: "stack" }, h2({}, groups.me), ofAccount()),
    component(Appearance, {}),
    more(groups.more),
  );
}

function ofWorkshop() {
  const { common } = words.value;
  const shown = workshop.value;
  return linkRows(
    {},
    component(CustomersRow, {}),
    row("sign", "store", shown?.name),
    row("documents", "file-text"),
    row("numbers", "percent"),
    row("messages", "message-circle"),
    row("team", "users", shown && common.people(shown.members.length)),
    offers("plans") && row("plan", "wallet", shown && common.plans[shown.plan]),
    row("files", "image"),
    row("connections", "link"),
    isOwner.value && row("activity", "history"),
  );
}

function CustomersRow() {
  const [title = "", usual = ""] = shopWords.value.overview.rows.customers;
  const count = customers.value.length;
  const detail = count ? words.value.common.people(count) : usual;
  return linkRow({ href: "/customers", title, detail, icon: "users" });
}

const ofAccount = () =>
  linkRows(
    {},
    row("account", "user", session.value.me?.name),
    row("devices", "smartphone"),
    row("keys", "key-round"),
    row("export", "download"),
  );

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
