// Comments: what the client asked about the estimate, and the answers. They belong to the estimate, not to a link.

import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import {
  b,
  component,
  details,
  div,
  h2,
  icon,
  li,
  p,
  section,
  span,
  summary,
  ul,
} from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { ago } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { sendWords } from "../../words/send.js";
import { draftOf, keepDraft } from "../../state/drafts.js";
import { answerComment, shared } from "../../state/links.js";
import { useState } from "../../vendor/hooks.js";
import { useCommand } from "../../components/command.js";

/** @typedef {{ id: string }} Talk an estimate */

/** @param {{ sending: Talk }} props */
export const comments = (props) => component(Comments, props);

/** @param {{ sending: Talk }} props */
function Comments({ sending }) {
  const found = shared(sending.id).value?.comments ?? [];
  if (!found.length) return null;
  return section({ class: "panel" }, h2({}, sendWords.value.questions), talk({ sending }));
}

/** Without a heading. With `isMain` the answer is what the person came for. @param {{ sending: Talk, isMain?: boolean }} props */
export const talk = (props) => component(TalkOf, props);

/** @param {{ sending: Talk, isMain?: boolean }} props */
function TalkOf({ sending, isMain = false }) {
  const known = shared(sending.id).value?.comments ?? [];
  const found = [...known].sort((one, other) => one.createdAt < other.createdAt ? -1 : 1);
  const [sent, setSent] = useState(0);
  const reply = component(Reply, { key: sent, sending, isMain, onSent: () => setSent(sent + 1) });
  return div(
    { class: "stack" },
    ul({ class: "comments" }, ...found.map(comment)),
    // Once it is answered, one more answer is rare.
    found.at(-1)?.author === "workshop"
      ? details(
        { class: "more" },
        summary({}, span({}, sendWords.value.answerAgain), icon("chevron-down")),
        reply,
      )
      : reply,
  );
}

/** The link to answer on: that of the latest question, else the newest that is left. @param {string} id */
function linkFor(id) {
  const { links = [], comments: found = [] } = shared(id).value ?? {};
  const present = links.filter(({ state }) => state !== "revoked");
  const latest = found.reduce(
    (at, each) => each.createdAt > at.createdAt ? each : at,
    /** @type {any} */ ({ createdAt: "" }),
  );
  return present.find((link) => link.id === latest.linkId) ?? present[0];
}

/** @param {{ sending: Talk, isMain: boolean, onSent: () => void }} props */
function Reply({ sending, isMain, onSent }) {
  const text = sendWords.value;
  const draft = draftOf(sending.id);
  const { busy, said, run } = useCommand();
  const link = linkFor(sending.id);
  if (!link) return p({ class: "quiet-text" }, text.answerNeedsLink);
  const send = async () => {
    if (!await run(() => answerComment(link, draft.trim()))) return;
    keepDraft(sending.id, "");
    onSent();
  };
  return div(
    { class: "stack" },
    textField({
      ...{ label: text.answer, multiline: true, maxLength: 2000, value: draft, problem: said },
      onInput: (value) => keepDraft(sending.id, value),
      autofocus: isMain,
    }),
    actionButton({
      kind: isMain ? "main" : "plain",
      wide: isMain,
      label: text.sendAnswer,
      icon: "send",
      isFinal: true,
      busy,
      disabled: !isOnline() || !draft.trim(),
      onClick: () => void send(),
    }),
  );
}

/** @param {Api.EstimateComment} comment */
function comment({ id, author, name, text, createdAt }) {
  return li(
    { key: id, class: `comment ${author}` },
    p({}, b({}, name), " ", ago(createdAt, Date.now(), wordsLanguage.value)),
    p({ class: "comment-text" }, text),
  );
}
