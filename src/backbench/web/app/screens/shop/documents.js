// Documents: what stands on estimates besides the lines. Saved as it is edited; drawn when asked.

import { frame } from "../../components/frame.js";
import { choice } from "../../components/choice.js";
import { component, h2, p, section } from "../../components/tags.js";
import { builderWords } from "../../words/builder.js";
import { shopWords } from "../../words/shop.js";
import { editedSettings } from "../../state/edited.js";
import { recordConflict, recordText } from "../../components/record-fields.js";
import { savedMark } from "./common/saved-mark.js";
import { bilingual } from "./documents/bilingual.js";
import { LogoFields } from "./documents/logo.js";
import { MoneyFields } from "./documents/money.js";
import { OptionFields } from "./documents/options.js";
import { Preview } from "./documents/preview.js";
import { TimeZoneField } from "./documents/time-zone.js";

/** @typedef {import("../../state/edited.js").Edited<Api.DocumentSettings>} SettingsRecord */

export function screen() {
  const record = editedSettings();
  const text = shopWords.value.documents;
  const isKnown = record.value.value !== null;
  return frame(
    {
      title: text.title,
      place: "shop",
      back: "/shop",
      actions: savedMark({ record }),
      foot: isKnown && component(Preview, { record }),
    },
    p({ class: "quiet-text" }, text.intro),
    isKnown && part(text.contact, contact(record)),
    isKnown && part(text.money, component(MoneyFields, { record })),
    isKnown && part(builderWords.value.paper.title, component(OptionFields, { record })),
    isKnown && part(text.numbers, numbers(record)),
    isKnown && part(text.texts, texts(record)),
    isKnown && part(text.paper, paper(record)),
  );
}

/** @param {string} title @param {any} fields */
const part = (title, fields) =>
  section({ class: "stack" }, h2({}, title), section({ class: "panel" }, fields));

/** @param {SettingsRecord} record */
function contact(record) {
  const text = shopWords.value.documents;
  return [
    recordText({
      record,
      name: "address",
      label: text.address,
      multiline: true,
      maxLength: 500,
      autocomplete: "street-address",
    }),
    line(record, "phone", { type: "tel", autocomplete: "tel" }),
    line(record, "email", { type: "email", autocomplete: "email" }),
    line(record, "website", { inputMode: "url", optional: true, autocomplete: "url" }),
  ];
}

/** @param {SettingsRecord} record */
function numbers(record) {
  return [
    line(record, "taxId", {}),
    line(record, "registration", {
      optional: true,
      multiline: true,
      maxLength: 500,
      help: shopWords.value.documents.registrationHelp,
    }),
    line(record, "iban", { optional: true, help: shopWords.value.documents.ibanHelp }),
    line(record, "paymentLink", {
      optional: true,
      inputMode: "url",
      maxLength: 500,
      help: shopWords.value.documents.paymentLinkHelp(),
    }),
  ];
}

/** @param {SettingsRecord} record */
function texts(record) {
  const text = shopWords.value.documents;
  return [
    bilingual({ record, name: "tagline", label: text.tagline, help: text.taglineHelp, maxLength: 250 }),
    bilingual({
      record,
      name: "terms",
      label: text.terms,
      help: text.termsHelp,
      maxLength: 2000,
      multiline: true,
    }),
    recordText({ record, name: "footer", label: text.footer, multiline: true, maxLength: 1000 }),
  ];
}

/** @param {SettingsRecord} record */
function paper(record) {
  const text = shopWords.value.documents;
  const settings = record.value.value;
  return [
    component(LogoFields, { record }),
    choice({
      label: text.paperSize,
      value: settings?.paperSize ?? "A4",
      options: [{ value: "A4", label: "A4" }, { value: "Letter", label: text.letter }],
      onChange: (paperSize) => record.save({ paperSize }),
    }),
    recordConflict({ record, name: "paperSize" }),
    component(TimeZoneField, { record }),
  ];
}

/** @param {SettingsRecord} record @param {"phone" | "email" | "website" | "taxId" | "registration" | "iban" | "paymentLink"} name @param {object} more */
function line(record, name, more) {
  return recordText({
    record,
    name,
    label: shopWords.value.documents[name],
    maxLength: 250,
    ...more,
  });
}
