// Comments: what the client wrote on the page of a link, and the answers.

import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import { b, component, div, li, p, ul } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { ago } from "../../domain/format.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { answerComment, shared } from "../../state/links.js";
import { useState } from "../../vendor/hooks.js";
import { once } from "./sending.js";
import { useWork } from "./work.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").EstimateComment} EstimateComment */
/** @typedef {import("../../../../../../types/shapes.d.ts").Link} Link */
/** @typedef {import("./sending.js").Sending} Sending */

/** @param {{ sending: Sending, link: Link }} props */
export const comments = (props) => component(Comments, props);

/** @param {{ sending: Sending, link: Link }} props */
function Comments({ sending, link }) {
  const text = words.value.send;
  const [draft, setDraft] = useState("");
  const [sent, setSent] = useState(0);
  const { busy, problem, run } = useWork();
  const found = shared(sending.id).value?.comments.filter(({ linkId }) => linkId === link.id) ?? [];
  if (!found.length) return null;
  const answer = () =>
    run(
      "answer",
      () => once(sending, `answer ${draft}`, (key) => answerComment(link, draft.trim(), key)),
      () => {
        setDraft("");
        setSent(sent + 1);
      },
    );
  return div(
    { class: "stack" },
    ul({ class: "comments" }, ...[...found].reverse().map(comment)),
    div(
      { key: sent },
      textField({
        label: text.answer,
        multiline: true,
        maxLength: 2000,
        value: draft,
        onInput: setDraft,
        problem,
      }),
    ),
    actionButton({
      label: text.sendAnswer,
      icon: "send",
      busy: busy === "answer",
      disabled: !isOnline() || !draft.trim(),
      onClick: () => void answer(),
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
