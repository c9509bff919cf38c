// Profile: name and language, saved as they are changed.

import { languageChoice } from "../../../components/language-choice.js";
import { conflictChoice } from "../../../components/conflict-choice.js";
import { b, br, p, section, span } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { ME } from "../../../domain/kinds.js";
import { fieldExplained } from "../../../words/problems.js";
import { words } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { savingOf } from "../../../state/edited.js";
import { fieldProblem } from "../../../state/records.js";
import { updateProfile } from "../../../state/session.js";
import { savedMark } from "../common/saved-mark.js";

/** @param {{ me: Api.MeProfile }} props */
export function Profile({ me }) {
  const { account: text, saving } = shopWords.value;
  const problem = fieldProblem("profile", ME, "name");
  const nameField = {
    label: text.name,
    value: me.name,
    help: savingOf("profile", ME) === "saving" ? saving.saving : text.nameHelp,
    maxLength: 100,
    autocomplete: "name",
    ...(problem ? { problem: fieldExplained(problem, words.value.common) } : {}),
  };
  return section(
    { class: "panel" },
    textField({ ...nameField, onCommit: (name) => updateProfile({ name }) }),
    conflictChoice({ objectId: ME, field: "name" }),
    p({}, span({ class: "label" }, text.email), br({}), b({ class: "account-email" }, me.email)),
    mailLanguage(me, (locale) => updateProfile({ locale })),
    savedMark({ record: { kind: "profile", id: ME } }),
  );
}

/** @param {Api.MeProfile} me @param {(locale: "en" | "pl") => void} onChange */
const mailLanguage = ({ locale }, onChange) =>
  languageChoice({ label: shopWords.value.account.mailLanguage, value: locale, onChange });
