// Link entry: one link: its state, how often it was opened, and the ways to pass it on again.

import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import { component, div, li, p } from "../../components/tags.js";
import { stamp } from "../../components/stamp.js";
import { ago, dateTime } from "../../domain/format.js";
import { words, wordsLanguage } from "../../words/words.js";
import { sendWords } from "../../words/send.js";
import { addressOf } from "../../state/links.js";
import { useState } from "../../vendor/hooks.js";
import { copied } from "./clipboard.js";
import { MailLink } from "./link-mail.js";
import { takeBack } from "./taking-back.js";
import { useCommand } from "../../components/command.js";

/** @typedef {import("./sending.js").Sending} Sending */
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
export const linkEntry = (props) => component(Entry, props);

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
