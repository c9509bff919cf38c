// Time zone: whose dates documents show.

import { selectField } from "../../../components/select-field.js";
import { div, p } from "../../../components/tags.js";
import { shopWords } from "../../../words/shop.js";
import { problemAt, recordConflict } from "../../../components/record-fields.js";

/** @typedef {import("../documents.js").SettingsRecord} SettingsRecord */

const USUAL = ["Europe/Dublin", "Europe/London", "Europe/Warsaw", "Europe/Berlin", "UTC"];
const KNOWN = Intl.supportedValuesOf?.("timeZone") ?? USUAL;

/** @param {{ record: SettingsRecord }} props */
export function TimeZoneField({ record }) {
  const text = shopWords.value.documents;
  const zone = record.value.value?.timeZone ?? "UTC";
  const device = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([zone, device, ...KNOWN])].filter(Boolean);
  const problem = problemAt(record, "timeZone");
  return div(
    { class: "stack" },
    selectField({
      label: text.timeZone,
      value: zone,
      help: text.timeZoneHelp,
      options: zones.map((value) => ({ value, label: value.replaceAll("_", " ") })),
      onChange: (timeZone) => record.save({ timeZone }),
    }),
    problem && p({ class: "field-problem", role: "alert" }, problem),
    recordConflict({ record, name: "timeZone" }),
  );
}
