// Messages: what drafts of messages should know about the workshop, and what a language model made of it.

import { conflictChoice } from "../../components/bound-fields.js";
import { problemNotice, savedMark, settingsFrame } from "./kit.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { actionButton } from "../../components/action-button.js";
import { LANGUAGES } from "../../components/controls.js";
import { component, h2, h3, li, p, section, span, ul } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { ago, quantity } from "../../domain/format.js";
import { words, wordsLanguage } from "../../words/words.js";
import { shopWords } from "../../words/shop.js";
import { offers } from "../../local/system.js";
import { connection } from "../../state/connection.js";
import { synthesizeContext, updateNotes } from "../../state/edits.js";
import { workshop, workshopId } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";

/** @typedef {NonNullable<Api.Workshop["contextDerived"]>} Derived */

// In UTF-16 units, which is what `length` counts.
const MOST = 4000;

export function screen() {
  const text = shopWords.value.messages;
  return settingsFrame(
    text,
    component(Notes, {}),
    component(Summary, {}),
  );
}

function Notes() {
  const known = workshop.value?.context?.notes ?? "";
  const [typed, setTyped] = useState(known);
  const text = shopWords.value.messages;
  const length = typed.trim().length;
  const isTooLong = length > MOST;
  const save = (/** @type {string} */ notes) => notes.trim().length <= MOST && updateNotes(notes);
  return section(
    { class: "panel" },
    textField({
      label: text.notes,
      value: known,
      multiline: true,
      help: text.notesHelp,
      onInput: setTyped,
      onCommit: save,
      ...(isTooLong ? { problem: text.tooLong } : {}),
    }),
    counter(length),
    conflictChoice({ objectId: workshopId.value, part: "notes", field: "notes" }),
  );
}

/** @param {number} length */
function counter(length) {
  const language = wordsLanguage.value;
  const text = shopWords.value.messages.counter(quantity(length, language), quantity(MOST, language));
  return p(
    { class: "row quiet-text" },
    span({ class: length > MOST ? "over" : undefined }, text),
    savedMark({ record: { kind: "workshop", id: workshopId.value } }),
  );
}

function Summary() {
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.messages;
  const { context, contextDerived: derived } = workshop.value ?? {};
  const isStale = derived && derived.sourceUpdatedAt !== context?.updatedAt;
  // Without a language model there is nothing to press.
  if (!derived && !offers("language-model")) return null;
  return section(
    { class: "stack" },
    h2({}, text.summary),
    derived && section({ class: "panel" }, ...LANGUAGES.map((language) => summaryIn(derived, language))),
    derived &&
      p({ class: "quiet-text" }, text.made(ago(derived.generatedAt, Date.now(), wordsLanguage.value))),
    isStale && p({ class: "quiet-text" }, text.stale),
    needsConnection(),
    problemNotice(problem),
    offers("language-model") && p({ class: "quiet-text" }, text.sumUpHelp),
    offers("language-model") && actionButton({
      label: derived ? text.sumUpAgain : text.sumUp,
      icon: "sparkles",
      busy,
      disabled: !connection.value.online,
      onClick: () => void run(synthesizeContext),
    }),
  );
}

/** @param {Derived} derived @param {"en" | "pl"} language */
function summaryIn(derived, language) {
  const text = shopWords.value.messages;
  return section(
    { class: "stack", lang: language, key: language },
    h3({}, words.value.common.languages[language]),
    p({}, derived.summary[language]),
    p({ class: "quiet-text", lang: wordsLanguage.value }, text.intents),
    ul(
      { class: "intents" },
      ...derived.suggestedIntents[language].map((intent) => li({ key: intent }, intent)),
    ),
  );
}
