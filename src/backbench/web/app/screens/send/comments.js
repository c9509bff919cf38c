// Comments: what the client wrote on the page of a link, and the answers.

import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import { b, component, div, li, p, ul } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { ago } from "../../domain/format.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { answerComment, shared } from "../../state/links.js";
import { useState } from "../../vendor/hooks.js";
import { useCommand } from "../../components/command.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").EstimateComment} EstimateComment */
/** @typedef {import("../../../../../../types/shapes.d.ts").Link} Link */
/** @typedef {import("./sending.js").Sending} Sending */

/** @param {{ sending: Sending, link: Link }} props */
export const comments = (props) => component(Comments, props);

/** @param {{ sending: Sending, link: Link }} props */
function Comments({ sending, link }) {
  const found = shared(sending.id).value?.comments.filter(({ linkId }) => linkId === link.id) ?? [];
  const [sent, setSent] = useState(0);
  if (!found.length) return null;
  return div(
    { class: "stack" },
    ul({ class: "comments" }, ...[...found].reverse().map(comment)),
    component(Reply, { key: sent, link, onSent: () => setSent(sent + 1) }),
  );
}

/** @param {{ link: Link, onSent: () => void }} props */
function Reply({ link, onSent }) {
  const text = words.value.send;
  const [draft, setDraft] = useState("");
  const { busy, said, run } = useCommand();
  const send = async () => {
    if (await run(() => answerComment(link, draft.trim()))) onSent();
  };
  return div(
    { class: "stack" },
    textField({
      label: text.answer,
      multiline: true,
      maxLength: 2000,
      value: draft,
      onInput: setDraft,
      problem: said,
    }),
    actionButton({
      label: text.sendAnswer,
      icon: "send",
      busy,
      disabled: !isOnline() || !draft.trim(),
      onClick: () => void send(),
    }),
  );
}

/** @param {EstimateComment} comment */
function comment({ id, author, name, text, createdAt }) {
  return li(
    { key: id, class: `comment ${author}` },
    p({}, b({}, name), " ", ago(createdAt, Date.now(), wordsLanguage.value)),
    p({ class: "comment-text" }, text),
  );
}
