// Tax of a line that differs from that of the estimate: offered where there is tax.

import { isOnline } from "../../components/needs-connection.js";
import { BOUNDS } from "../../domain/numbers.js";
import { words } from "../../i18n/index.js";
import { facts } from "../../state/estimates.js";
import { documentSettings } from "../../state/workshops.js";
import { editFacts } from "./document.js";
import { numberField } from "./number-field.js";
import { NEW } from "./till.js";

/** @param {{ till: import("./till.js").Till, line: { id: string } }} props */
export function LineTax({ till, line }) {
  const known = till.id === NEW ? {} : facts(till.id).value ?? {};
  const hasTax = known.taxPercent !== undefined || documentSettings.value?.taxPercent !== undefined;
  if (!hasTax || !isOnline()) return null;
  const { [line.id]: own, ...others } = known.lineTaxes ?? {};
  const save = (/** @type {number | null} */ percent) => {
    const lineTaxes = percent === null ? others : { ...others, [line.id]: percent };
    void editFacts(till.id, { lineTaxes: Object.keys(lineTaxes).length ? lineTaxes : null });
  };
  return numberField({
    label: words.value.builder.lineTax,
    help: words.value.builder.lineTaxHelp,
    value: own,
    bounds: BOUNDS.taxPercent,
    onValue: save,
  });
}
