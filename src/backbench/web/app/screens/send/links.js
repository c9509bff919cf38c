// Links: what became of those of an estimate: opened, answered, passed on again, taken back.

import { isProblem } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { isOnline, useCommand } from "../../components/command.js";
import { stamp } from "../../components/ticket.js";
import { component, div, h2, li, p, section, ul } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { ago, dateTime } from "../../domain/format.js";
import { withoutAddress } from "../../domain/messages.js";
import { offers } from "../../local/system.js";
import { facts } from "../../state/estimates.js";
import {
  addresses,
  addressOf,
  followShared,
  loadShared,
  mailLink,
  revokeLink,
  shared,
} from "../../state/links.js";
import { softly } from "../../state/records.js";
import { endOffer, offerUndo } from "../../state/undo.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { signal } from "../../vendor/signals.js";
import { mailWords } from "../../words/mail.js";
import { explained } from "../../words/problems.js";
import { sendWords } from "../../words/send.js";
import { words, wordsLanguage } from "../../words/words.js";
import { chosen } from "./choices.js";
import { copied } from "./clipboard.js";
import { record } from "./sharing.js";

/** @typedef {import("./sending.js").Sending} Sending */

/** @param {{ sending: Sending }} props */
export const links = (props) => component(Links, props);

/** @param {{ sending: Sending }} props */
function Links({ sending }) {
  useEffect(() => followShared(sending.id), [sending.id]);
  const found = shared(sending.id).value?.links ?? [];
  const present = found.filter((link) => link.state !== "revoked" && !isTakenBack(link));
  if (!present.length) return null;
  return section(
    { class: "panel" },
    h2({}, sendWords.value.link),
    ul({ class: "entries" }, ...present.map((link) => linkEntry({ sending, link }))),
  );
}

// Link entry: one link: its state, how often it was opened, and the ways to pass it on again.

/** @typedef {ReturnType<typeof useCommand>} Work */

const STAMPS = {
  open: "todo",
  accepted: "done",
  declined: "alarm",
  expired: "alarm",
  superseded: "alarm",
  revoked: "alarm",
};

/** @param {{ sending: Sending, link: Api.Link }} props */
const linkEntry = (props) => component(Entry, props);

/** @param {{ sending: Sending, link: Api.Link }} props */
function Entry({ sending, link }) {
  const text = sendWords.value;
  const { common } = words.value;
  const work = useCommand();
  const language = wordsLanguage.value;
  const facts = [
    text.revision(link.revisionNumber),
    common.languages[link.locale],
    !link.canDecide && text.readOnly,
  ];
  return li(
    { key: link.id, class: "stack" },
    stamp({ status: STAMPS[link.state], word: text.linkState[link.state] }),
    div({}, p({}, facts.filter(Boolean).join(" · ")), p({ class: "quiet-text" }, opened(link, language))),
    div(
      { class: "row" },
      component(Copy, { link, work }),
      actionButton({
        label: text.revoke,
        icon: "x",
        kind: "quiet",
        disabled: !isOnline(),
        onClick: () => takeBack(link, text.revoked),
      }),
    ),
    component(MailLink, { sending, link, work }),
    work.said && p({ class: "field-problem", role: "alert" }, work.said),
  );
}

/** @param {Api.Link} link @param {string} language */
function opened({ openings: { count, lastAt } }, language) {
  const text = sendWords.value;
  if (!count || !lastAt) return text.unopened;
  return text.opened(count, `${ago(lastAt, Date.now(), language)} (${dateTime(lastAt, language)})`);
}

/** The address again, as often as it is wanted. @param {{ link: Api.Link, work: Work }} props */
function Copy({ link, work }) {
  const text = sendWords.value;
  const { common } = words.value;
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    if (await work.run(async () => copied(await addressOf(link)), "copy")) setDone(true);
  };
  return actionButton({
    label: isDone ? common.buttons.copied : text.copyLink,
    icon: isDone ? "check" : "copy",
    busy: work.doing === "copy",
    disabled: !isOnline(),
    onClick: () => void copy(),
  });
}

const PAUSE = 10_000;

/** The links that are about to end. @type {import("../../vendor/signals.js").Signal<ReadonlyMap<string, Api.Link>>} */
const waiting = signal(new Map());

/** @param {Api.Link} link */
const isTakenBack = (link) => waiting.value.has(link.id);

/** @param {Api.Link} link @param {string} text */
function takeBack(link, text) {
  waiting.value = new Map(waiting.value).set(link.id, link);
  offerUndo(text, () => forget(link), {
    duration: PAUSE,
    otherwise: () => isTakenBack(link) && void end(link),
  });
}

// Whoever leaves the page meant it.
if (typeof addEventListener !== "undefined") addEventListener("pagehide", endOffer);

/** @param {Api.Link} link */
async function end(link) {
  try {
    await revokeLink(link);
  } catch (error) {
    if (!isProblem(error)) throw error;
    const text = `${sendWords.value.stillOpen} ${explained(error)}`;
    offerUndo(text, () => end(link), { duration: PAUSE, retries: true });
    // It is shown again, as open as it is.
    void softly(() => loadShared(link.estimateId));
  } finally {
    forget(link);
  }
}

/** @param {Api.Link} link */
function forget(link) {
  const left = new Map(waiting.peek());
  left.delete(link.id);
  waiting.value = left;
}

// Link mail: the server mails a link to the client.

/** So few emails with links that the server would still send now are named. */
const FEW_LEFT = 10;

/** @param {Sending} sending @param {Api.Link} link */
async function handed(sending, link) {
  const { tone } = chosen.value;
  const pdf = link.pdfExportId ? { pdfExportId: link.pdfExportId } : {};
  sending.handed.value = null;
  await record(sending, {
    kind: "message-shared",
    locale: link.locale,
    tone,
    preliminary: false,
    aiDrafted: false,
    ...pdf,
  });
}

/** The server mails it. @param {{ sending: Sending, link: Api.Link, work: Work }} props */
function MailLink({ sending, link, work }) {
  const text = mailWords.value;
  const [isOpen, setOpen] = useState(false);
  const [sentTo, setSentTo] = useState("");
  const [left, setLeft] = useState(Infinity);
  if (link.state !== "open" || !offers("mail")) return null;
  const mail = async (/** @type {string} */ email) => {
    const { tone } = chosen.value;
    const message = written(sending, link);
    if (!await work.run(async () => setLeft(await mailLink(link, { email, tone, message })), "mail")) return;
    setOpen(false);
    setSentTo(email);
    void handed(sending, link);
  };
  if (isOpen) return component(MailForm, { sending, busy: work.doing === "mail", onSend: mail });
  return div(
    { class: "stack", role: "status" },
    sentTo && p({}, text.mailed(sentTo)),
    sentTo && left <= FEW_LEFT && p({}, text.mailsLeft(left)),
    actionButton({ label: text.mailLink, icon: "mail", wide: true, onClick: () => setOpen(true) }),
  );
}

/** The message as the person wrote it, without the address: the email has the link. @param {Sending} sending @param {Api.Link} link */
const written = ({ edited }, { id }) => withoutAddress(edited.peek() ?? "", addresses.peek()[id]);

/** @param {{ sending: Sending, busy: boolean, onSend: (email: string) => void }} props */
function MailForm({ sending, busy, onSend }) {
  const text = mailWords.value;
  const [email, setEmail] = useState(facts(sending.id).peek()?.recipientEmail ?? "");
  return div(
    { class: "stack" },
    textField({
      label: sendWords.value.recipientEmail,
      type: "email",
      value: email,
      autofocus: true,
      autocomplete: "off",
      onInput: setEmail,
      help: text.mailHelp,
    }),
    actionButton({
      label: text.mailNow,
      icon: "send",
      wide: true,
      isFinal: true,
      busy,
      disabled: !isOnline() || !email.includes("@"),
      onClick: () => onSend(email.trim()),
    }),
  );
}
