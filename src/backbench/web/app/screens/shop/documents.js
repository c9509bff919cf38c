// Documents: what stands on estimates besides the lines. Saved as it is edited; drawn when asked.

import { call, request } from "../../api/client.js";
import { address } from "../../api/early.js";
import { actionButton } from "../../components/action-button.js";
import { choice, languageChoice, selectField, toggle } from "../../components/choice.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { frame } from "../../components/frame.js";
import { notice } from "../../components/notice.js";
import { photoButton } from "../../components/photo-button.js";
import { problemAt, recordConflict, recordText } from "../../components/record-fields.js";
import { sheet } from "../../components/sheet.js";
import { component, div, h2, img, p, section, span } from "../../components/tags.js";
import { newId } from "../../domain/ids.js";
import { smallPicture } from "../../local/photo-store.js";
import { command } from "../../state/commands.js";
import { connection } from "../../state/connection.js";
import { editedSettings, savingOf, tilePrices, workshop, workshopId } from "../../state/workshops.js";
import { loadSummaries, summaries } from "../../state/summaries.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { builderWords } from "../../words/builder.js";
import { shopWords } from "../../words/shop.js";
import { words, wordsLanguage } from "../../words/words.js";
import { choices, optionWords } from "../builder/document-sheet.js";
import { pictures } from "../send/pictures.js";
import { problemNotice, savedMark } from "./common/use-answer.js";
import { bilingual, MoneyFields } from "./documents/money.js";

/** @typedef {import("../../state/workshops.js").Edited<Api.DocumentSettings>} SettingsRecord */

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

const USUAL = ["Europe/Dublin", "Europe/London", "Europe/Warsaw", "Europe/Berlin", "UTC"];
const KNOWN = Intl.supportedValuesOf?.("timeZone") ?? USUAL;

/** @param {{ record: SettingsRecord }} props */
function TimeZoneField({ record }) {
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

/** @typedef {import("../builder/document-sheet.js").Option} Option */

/** @param {{ record: SettingsRecord }} props */
function OptionFields({ record }) {
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

// Preview of the latest estimate, drawn by the server when somebody asks for it.

/** @typedef {"en" | "pl"} Language */
/** @typedef {{ id: string, locale: Language }} Drawn */

const WIDTH = 1080;

/** The button that opens it. @param {{ record: SettingsRecord }} props */
function Preview({ record }) {
  const [drawn, setDrawn] = useState(/** @type {Drawn | null} */ (null));
  useEffect(() => void loadSummaries({}), []);
  const estimate = summaries.value.find(({ estimateId }) => !estimateId.startsWith("local-"));
  const text = shopWords.value.documents;
  if (!estimate) return p({ class: "quiet-text" }, text.noEstimate);
  const draw = (/** @type {Language} */ locale) => setDrawn({ id: newId(), locale });
  return div(
    { class: "stack" },
    needsConnection(),
    actionButton({
      label: text.preview,
      icon: "eye",
      kind: "main",
      wide: true,
      disabled: savingOf(record.kind, record.id) !== "saved" || !connection.value.online,
      onClick: () => draw(wordsLanguage.value),
    }),
    drawn && sheet(
      { title: text.previewOf(estimate.name), onClose: () => setDrawn(null) },
      languageChoice({
        label: shopWords.value.overview.language,
        bare: true,
        value: drawn.locale,
        onChange: draw,
      }),
      pictures({ source: sourceOf(estimate.estimateId, drawn) }),
    ),
  );
}

/** @param {string} estimateId @param {Drawn} drawn */
function sourceOf(estimateId, { id, locale }) {
  return {
    id,
    load: (/** @type {number} */ page) =>
      request("GET /estimates/{estimateId}/preview", { estimateId, locale, page, width: WIDTH }, {
        as: "blob",
      }),
  };
}

// Logo of documents: the workshop's own picture, or the emoji of its sign, or none.

/** @param {{ record: SettingsRecord }} props */
function LogoFields({ record }) {
  const text = shopWords.value.documents;
  const isShown = record.value.value?.showLogo ?? true;
  return [
    toggle({
      label: text.showLogo,
      help: text.logoHelp,
      value: isShown,
      onChange: (showLogo) => record.save({ showLogo }),
    }),
    recordConflict({ record, name: "showLogo" }),
    isShown && component(OwnLogo, { record }),
  ];
}

/** @param {{ record: SettingsRecord }} props */
function OwnLogo({ record }) {
  const { busy, problem, run } = useCommand();
  const [isUnreadable, setIsUnreadable] = useState(false);
  const text = shopWords.value.documents;
  const fileId = record.value.value?.logoFileId;
  const upload = async (/** @type {File} */ file) => {
    const small = await smallPicture(file).catch(() => null);
    setIsUnreadable(small === null);
    if (small) await run(() => uploadLogo(record, small, file.name));
  };
  const remove = () => record.save({ logoFileId: undefined });
  const refused = problemAt(record, "logoFileId");
  return [
    div(
      { class: "row" },
      picture(fileId),
      photoButton({
        label: text.uploadLogo,
        onPhoto: (file) => void upload(file),
        busy,
        disabled: !connection.value.online,
      }),
      fileId && actionButton({ label: text.removeLogo, kind: "quiet", onClick: remove }),
    ),
    refused && p({ class: "field-problem", role: "alert" }, refused),
    isUnreadable && notice({ kind: "alarm", text: words.value.common.errors.unsupported_media_type }),
    problemNotice(problem),
  ];
}

/** @param {string | undefined} fileId */
function picture(fileId) {
  return fileId
    ? img({ class: "thing-picture", src: address(`/files/${fileId}`), alt: shopWords.value.documents.logo })
    : span({ class: "logo-now", "aria-hidden": "true" }, workshop.value?.logo);
}

/** @param {SettingsRecord} record @param {Blob} logo @param {string} name */
async function uploadLogo(record, logo, name) {
  const form = new FormData();
  form.set("category", "grid_tile_icon");
  form.set("workshopId", workshopId.value);
  form.set("file", logo, name || "logo");
  const intent = ["logo", workshopId.value, name, logo.size];
  const { id } = await command(intent, (key) => call("POST /files", {}, { form, key }));
  record.save({ logoFileId: id, showLogo: true });
}
