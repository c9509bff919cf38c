// Estimate sheet: name, client, markup, discount, and what can be done with the estimate.

import { conflictChoice } from "../../components/conflict-choice.js";
import { sheet } from "../../components/sheet.js";
import { component, div } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { percentage } from "../../domain/format.js";
import { BOUNDS } from "../../domain/numbers.js";
import { builderWords } from "../../words/builder.js";
import { wordsLanguage } from "../../words/words.js";
import { estimate } from "../../state/estimates.js";
import { replaced } from "../../state/outbox.js";
import { summaries } from "../../state/summaries.js";
import { useState } from "../../vendor/hooks.js";
import { EstimateActions } from "../estimate-actions.js";
import { numberField } from "./number-field.js";
import { RecipientField } from "./recipient.js";
import { editHead } from "./till.js";

/** @typedef {import("./till.js").Till} Till */

/** @param {{ till: Till, onClose: () => void, onDocument: () => void }} props */
export function EstimateSheet({ till, onClose, onDocument }) {
  const shown = estimate(till.id).value;
  return sheet(
    { title: shown?.name ?? builderWords.value.newEstimate, onClose },
    component(RecipientField, { till }),
    component(NameField, { till }),
    div(
      { class: "builder-percents" },
      component(Percent, { till, field: "discountPercent" }),
      component(Percent, { till, field: "markupPercent" }),
    ),
    shown &&
      component(EstimateActions, {
        id: till.id,
        name: shown.name,
        orderId: orderOf(till.id),
        onClose,
        onDocument,
      }),
  );
}

/** The order that was made of it, if the list knows one. @param {string} id */
function orderOf(id) {
  return summaries.value.find(({ estimateId }) => estimateId === replaced(id))?.orderId;
}

/** @param {{ till: Till }} props */
function NameField({ till }) {
  const [isEmpty, setEmpty] = useState(false);
  const builder = builderWords.value;
  return div(
    { class: "stack" },
    textField({
      label: builder.name,
      value: estimate(till.id).value?.name ?? "",
      maxLength: 250,
      autocomplete: "off",
      ...(isEmpty ? { problem: builder.nameMissing } : {}),
      onInput: (name) => setEmpty(!name.trim()),
      onCommit: (name) => {
        if (name.trim()) editHead(till, { name: name.trim() });
      },
    }),
    conflictChoice({ objectId: till.id, field: "name" }),
  );
}

/** @param {{ till: Till, field: "markupPercent" | "discountPercent" }} props */
function Percent({ till, field }) {
  const builder = builderWords.value;
  const isMarkup = field === "markupPercent";
  return div(
    { class: "stack" },
    numberField({
      label: isMarkup ? builder.markup : builder.discount,
      help: isMarkup ? builder.markupHelp : builder.discountHelp,
      value: estimate(till.id).value?.[field] || undefined,
      bounds: BOUNDS[field],
      onValue: (value) => editHead(till, { [field]: value ?? 0 }),
    }),
    conflictChoice({ objectId: till.id, field, show: (value) => percentage(value, wordsLanguage.value) }),
  );
}
