// Options: how documents show an estimate, unless it says otherwise itself.

import { recordConflict, recordText } from "../../../components/record-fields.js";
import { selectField } from "../../../components/select-field.js";
import { div } from "../../../components/tags.js";
import { builderWords } from "../../../words/builder.js";
import { tilePrices } from "../../../state/workshops.js";
import { choices, optionWords } from "../../builder/document-options.js";

/** @typedef {import("../documents.js").SettingsRecord} SettingsRecord */
/** @typedef {import("../../builder/document-options.js").Option} Option */

/** @param {{ record: SettingsRecord }} props */
export function OptionFields({ record }) {
  const text = builderWords.value.paper;
  return [
    optionField(record, "documentTitle", text.documentTitle),
    // Prices that are entered with tax are shown with it.
    tilePrices.value === "net" && optionField(record, "pricesShown", text.pricesShown),
    optionField(record, "taxKind", text.taxKind),
    optionField(record, "depositKind", text.depositKind),
    optionField(record, "withdrawal", text.withdrawal, text.withdrawalHelp),
    recordText({
      record,
      name: "privacyUrl",
      label: text.privacyUrl,
      help: text.privacyUrlHelp,
      optional: true,
      inputMode: "url",
      maxLength: 250,
    }),
  ];
}

/** The first choice is what applies without one. @param {SettingsRecord} record @param {Option} name @param {string} label @param {string} [help] */
function optionField(record, name, label, help) {
  const options = choices(optionWords(name));
  const usual = options[0]?.value ?? "";
  return div(
    { class: "stack" },
    selectField({
      label,
      value: record.value.value?.[name] ?? usual,
      options,
      onChange: (value) => record.save({ [name]: value === usual ? null : value }),
      ...(help ? { help } : {}),
    }),
    recordConflict({ record, name }),
  );
}
