// Questions of an import: what can be read in two ways, with cells of the file under each answer.

import { choice } from "../../../../components/choice.js";
import { div, p } from "../../../../components/tags.js";
import { date, quantity } from "../../../../domain/format.js";
import { connectionsWords } from "../../../../words/connections.js";
import { wordsLanguage } from "../../../../words/words.js";

/** @typedef {Api.Import["questions"][number]} Question */
/** @typedef {keyof (typeof connectionsWords)["value"]["imports"]["questions"]} Kind */

/** @param {Api.Import} proposed @param {(id: string, value: string) => void} onAnswer */
export function questions({ questions: found, columns }, onAnswer) {
  return found.map((question) => {
    const kind = /** @type {Kind} */ (question.id.split(":")[0]);
    const heading = question.column === undefined ? "" : `${columns[question.column]}: `;
    return div(
      { class: "stack", key: question.id },
      choice({
        label: heading + connectionsWords.value.imports.questions[kind].text,
        value: question.answer ?? question.proposed,
        options: question.options.map((option) => ({
          value: option.value,
          label: answer(kind, option),
        })),
        onChange: (value) => onAnswer(question.id, value),
      }),
      ...question.options.map((option) =>
        p({ class: "quiet-text" }, `${answer(kind, option)}: ${samples(option)}`)
      ),
    );
  });
}

/** @param {Kind} kind @param {Question["options"][number]} option */
function answer(kind, { value, text }) {
  const { answers } =
    /** @type {{ answers?: Record<string, string> }} */ (connectionsWords.value.imports.questions[kind]);
  return answers?.[value] ?? text;
}

/** @param {Question["options"][number]} option */
function samples(option) {
  return option.samples.map(({ cell, value }) => `${cell} → ${read(value)}`).join(" · ");
}

/** A value as JSON has it, in the language of the app; a cell as it is. @param {string} value */
function read(value) {
  if (/^-?\d+(\.\d+)?$/.test(value)) return quantity(value, wordsLanguage.value);
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? date(value, wordsLanguage.value) : value;
}
