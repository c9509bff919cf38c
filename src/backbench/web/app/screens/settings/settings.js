// Workshop: everything that is set up once, and everything about this account.

import { draftSheet, issue, secretField, sheetOf, useDraft } from "./issued.js";
import { opener, problemNotice, useInvoices } from "./kit.js";
import { once } from "../../state/commands.js";
import { actionButton } from "../../components/action-button.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { frame } from "../../components/frame.js";
import { linkRow, linkRows } from "../../components/link-row.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { component, div, h2, p, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { offers } from "../../local/system.js";
import { go } from "../../state/router.js";
import { session } from "../../state/session.js";
import { createWorkshop, deleteWorkshop } from "../../state/edits.js";
import { choose, isOwner, workshop, workshopId, workshops } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { connectionsWords } from "../../words/connections.js";
import { shopWords } from "../../words/shop.js";
import { words } from "../../words/words.js";
import { PROGRAMS } from "./connections.js";
import { KEY } from "./keys.js";
import { SignOut } from "./sign-out.js";

/** @typedef {keyof typeof shopWords.value.overview.rows} Row */

export function screen() {
  const { title, groups } = shopWords.value.overview;
  return frame(
    { title, place: "shop" },
    section({ class: "stack" }, h2({}, groups.workshop), ofWorkshop(), component(Workshops, {})),
    section({ class: "stack" }, h2({}, groups.me), ofAccount()),
    isOwner.value && section({ class: "stack" }, h2({}, groups.programs), ofPrograms()),
    more(groups.more),
  );
}

function ofWorkshop() {
  const { common } = words.value;
  const shown = workshop.value;
  return linkRows(
    {},
    row("tiles", "layout-grid", null, "/tiles"),
    row("sign", "store", shown?.name),
    row("money", "wallet"),
    row("documents", "file-text"),
    row("invoices", "receipt-text", null, "/invoices"),
    row("numbers", "percent"),
    row("messages", "message-circle"),
    row("team", "users", shown && common.people(shown.members.length)),
    offers("plans") && isOwner.value && row("plan", "star", shown && shopWords.value.plans[shown.plan]),
    row("files", "image"),
    row("connections", "link"),
    isOwner.value && row("activity", "history"),
  );
}

const ofAccount = () =>
  linkRows(
    {},
    row("account", "user", session.value.me?.name),
    row("devices", "smartphone"),
    row("export", "download"),
  );

function ofPrograms() {
  const { parts } = connectionsWords.value;
  return div(
    { class: "stack" },
    linkRows(
      {},
      row("keys", "key-round"),
      ...PROGRAMS.map(({ name, icon }) => {
        const [title = "", detail] = parts[name];
        return linkRow({ href: `/shop/connections/${name}`, title, detail, icon });
      }),
    ),
    wallDisplay(),
  );
}

/** @param {string} title */
function more(title) {
  return section(
    { class: "stack" },
    h2({}, title),
    feedback(),
    component(SignOut, {}),
    isOwner.value && deletion(),
  );
}

/** @param {Row} name @param {string} icon @param {string | null} [detail] @param {string} [href] */
function row(name, icon, detail, href = `/shop/${name}`) {
  const [title, usual] = shopWords.value.overview.rows[name];
  return linkRow({ href, title: title ?? "", detail: detail ?? usual, icon });
}

const wallDisplay = () =>
  opener(
    { label: shopWords.value.overview.wall, icon: "monitor" },
    (onClose) => component(WallSheet, { onClose }),
  );

/** @param {{ onClose: () => void }} props */
function WallSheet({ onClose }) {
  const [link, setLink] = useState("");
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.overview;
  const make = () =>
    void run(async () => {
      /** @type {Api.NewApiKey} */
      const body = { name: text.wallKey, scopes: ["orders:read"], workshopId: workshopId.value };
      const { secret } = await issue({ ...KEY, intent: "wall key" }, body);
      setLink(`${location.origin}/floor#${secret}`);
    });
  return sheet(
    { title: text.wall, onClose },
    p({}, text.wallHelp),
    needsConnection(),
    problemNotice(problem),
    link
      ? secretField({ label: text.wall, secret: link, note: text.wallOnce })
      : actionButton({ label: text.wallMake, icon: "link", kind: "main", busy, onClick: make }),
    actionButton({ label: text.wallHere, icon: "monitor", href: "/floor" }),
  );
}

// Delete workshop: for owners, after its name was typed.

const deletion = () =>
  opener(
    { label: shopWords.value.overview.deleteWorkshop, icon: "trash-2", kind: "quiet" },
    (onClose) => component(DeleteSheet, { onClose }),
  );

/** @param {{ onClose: () => void }} props */
function DeleteSheet({ onClose }) {
  const [typed, setTyped] = useState("");
  const { busy, problem, run } = useCommand();
  const invoices = useInvoices();
  const text = shopWords.value.overview;
  const name = workshop.value?.name ?? "";
  const remove = () =>
    void run(async (go) => {
      await deleteWorkshop(invoices.params);
      go("/", { replace: true });
    });
  return sheet(
    {
      title: text.deleteWorkshop,
      onClose,
      foot: actionButton({
        label: text.deleteNow,
        kind: "danger",
        isFinal: true,
        disabled: typed.trim() !== name.trim(),
        busy,
        onClick: remove,
      }),
      problem: problemNotice(problem),
    },
    p({}, text.deleteText(name)),
    actionButton({ label: text.exportFirst, icon: "download", kind: "quiet", href: "/shop/export" }),
    needsConnection(),
    invoices.ask(problem),
    textField({ label: text.deleteType(name), value: typed, onInput: setTyped, autocomplete: "off" }),
  );
}

// Workshops: the others of this account, and a new one.

function Workshops() {
  const [open, setOpen] = useState(false);
  const text = shopWords.value.overview;
  const others = workshops.value.filter(({ id }) => id !== workshop.value?.id);
  const show = (/** @type {string} */ id) => {
    choose(id);
    go("/");
  };
  return div(
    { class: "stack" },
    others.length > 0 && h2({}, text.switchTitle),
    ...others.map((one) =>
      actionButton({ label: `${one.logo} ${one.name}`, wide: true, onClick: () => show(one.id) })
    ),
    div(
      {},
      actionButton({ label: text.newWorkshop, icon: "plus", kind: "quiet", onClick: () => setOpen(true) }),
    ),
    open && component(NewWorkshop, { onClose: () => setOpen(false) }),
  );
}

/** @param {{ onClose: () => void }} props */
function NewWorkshop({ onClose }) {
  const text = shopWords.value.overview;
  const missing = { problem: shopWords.value.sign.nameMissing };
  return draftSheet({
    title: text.newWorkshop,
    done: words.value.common.buttons.add,
    text: { name: text.workshopName },
    first: { name: "" },
    fields: (field, { name }, _, problem) => [
      field.text("name", { maxLength: 250, autofocus: true, ...(problem && !name.trim() ? missing : {}) }),
    ],
    save: async (draft, go) => {
      const { id } = await createWorkshop(draft);
      if (go("/shop/sign")) choose(id);
    },
    onClose,
  });
}

// Feedback: a question or an idea, to the people who run the server.

const feedback = () =>
  opener(
    { label: shopWords.value.overview.feedback, icon: "message-circle" },
    (onClose) => component(FeedbackSheet, { onClose }),
  );

/** @param {{ onClose: () => void }} props */
function FeedbackSheet({ onClose }) {
  const [isSent, setIsSent] = useState(false);
  const state = useDraft({ kind: "support", title: "", message: "" });
  const text = shopWords.value.overview;
  const { close, send } = words.value.common.buttons;
  if (isSent) {
    const foot = actionButton({ label: close, kind: "main", onClick: onClose });
    return sheet({ title: text.feedback, onClose, foot }, notice({ kind: "good", text: text.feedbackSent }));
  }
  return sheetOf({
    title: text.feedback,
    done: send,
    icon: "send",
    text,
    fields: (field) => [
      div(
        { class: "stack" },
        field.choice("kind", text.feedbackKinds),
        field.text("title", { maxLength: 250 }),
        field.text("message", { multiline: true, maxLength: 5000 }),
      ),
    ],
    save: async (draft) => {
      await once("POST /feedback", {}, { body: { ...draft, path: location.pathname } });
      setIsSent(true);
    },
    onClose,
  }, state);
}
