// Tax of a line that differs from that of the estimate: offered where there is tax.

import { conflictChoice } from "../../components/conflict-choice.js";
import { div } from "../../components/tags.js";
import { BOUNDS } from "../../domain/numbers.js";
import { words } from "../../i18n/index.js";
import { editLineTax, facts } from "../../state/estimates.js";
import { documentSettings } from "../../state/workshops.js";
import { numberField } from "./number-field.js";
import { NEW } from "./till.js";

/** @param {{ till: import("./till.js").Till, line: { id: string } }} props */
export function LineTax({ till, line }) {
  const known = till.id === NEW ? {} : facts(till.id).value ?? {};
  const hasTax = known.taxPercent !== undefined || documentSettings.value?.taxPercent !== undefined;
  if (!hasTax) return null;
  return div(
    { class: "stack" },
    numberField({
      label: words.value.builder.lineTax,
      help: words.value.builder.lineTaxHelp,
      value: known.lineTaxes?.[line.id],
      bounds: BOUNDS.taxPercent,
      onValue: (percent) => editLineTax(till.id, line.id, percent),
    }),
    conflictChoice({ objectId: till.id, part: "taxes", field: line.id }),
  );
}
