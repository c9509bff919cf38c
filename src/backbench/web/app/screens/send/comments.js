// Comments: what the client asked about the estimate, and the answers. They belong to the estimate, not to a link.

import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import { b, component, div, h2, li, p, section, ul } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { ago } from "../../domain/format.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { answerComment, shared } from "../../state/links.js";
import { useState } from "../../vendor/hooks.js";
import { useCommand } from "../../components/command.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").EstimateComment} EstimateComment */
/** @typedef {{ id: string }} Talk an estimate */

/** @param {{ sending: Talk }} props */
export const comments = (props) => component(Comments, props);

/** @param {{ sending: Talk }} props */
function Comments({ sending }) {
  const found = shared(sending.id).value?.comments ?? [];
  if (!found.length) return null;
  return section({ class: "panel" }, h2({}, words.value.send.questions), talk({ sending }));
}

/** Without a heading. @param {{ sending: Talk }} props */
export const talk = (props) => component(TalkOf, props);

/** @param {{ sending: Talk }} props */
function TalkOf({ sending }) {
  const found = shared(sending.id).value?.comments ?? [];
  const [sent, setSent] = useState(0);
  return div(
    { class: "stack" },
    ul(
      { class: "comments" },
      ...[...found].sort((one, other) => one.createdAt < other.createdAt ? -1 : 1).map(comment),
    ),
    component(Reply, { key: sent, sending, onSent: () => setSent(sent + 1) }),
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

/** @param {{ sending: Talk, onSent: () => void }} props */
function Reply({ sending, onSent }) {
  const text = words.value.send;
  const [draft, setDraft] = useState("");
  const { busy, said, run } = useCommand();
  const link = linkFor(sending.id);
  if (!link) return p({ class: "quiet-text" }, text.answerNeedsLink);
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
