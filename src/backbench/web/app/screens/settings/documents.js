// Paper: what documents show besides the lines and sums. Saved as it is edited; drawn when asked.

import { call, request } from "../../api/client.js";
import { command } from "../../state/commands.js";
import { errorWords } from "../../words/errors.js";
import { boundFields, conflict, hasUnreadable, problemAt } from "../../components/bound-fields.js";
import { address } from "../../api/early.js";
import { actionButton } from "../../components/action-button.js";
import { fold, languageChoice } from "../../components/controls.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { frame } from "../../components/frame.js";
import { notice } from "../../components/notice.js";
import { photoButton } from "../../components/photo-button.js";
import { sheet } from "../../components/sheet.js";
import { component, div, img, p, span } from "../../components/tags.js";
import { KINDS_OF_INVOICES, usualPattern } from "../../domain/invoices.js";
import { newId } from "../../domain/ids.js";
import { smallPicture } from "../../local/photos.js";
import { connection } from "../../state/connection.js";
import { editedSettings, savingOf } from "../../state/edits.js";
import { phoneCountry, workshop, workshopId } from "../../state/workshops.js";
import { loadSummaries, summaries } from "../../state/summaries.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { invoiceWords } from "../../words/invoices.js";
import { shopWords } from "../../words/shop.js";
import { wordsLanguage } from "../../words/words.js";
import { countryOptions } from "../invoices/countries.js";
import { pictures } from "../send/pictures.js";
import { problemNotice, savedMark } from "./kit.js";
import { bilingual, optionsOf, part } from "./document-money.js";

/** @typedef {import("../../state/edits.js").Edited<Api.DocumentSettings>} SettingsRecord */

export function screen() {
  const record = editedSettings();
  const text = shopWords.value.documents;
  const field = boundFields(record, text);
  const option = optionsOf(record);
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
    isKnown && part(text.contact, [
      field.text("address", { multiline: true, maxLength: 500, autocomplete: "street-address", empty: "" }),
      field.text("phone", { type: "tel", maxLength: 250, autocomplete: "tel", empty: "" }),
      field.text("email", { type: "email", maxLength: 250, autocomplete: "email", empty: "" }),
      field.text("website", { inputMode: "url", maxLength: 250, autocomplete: "url" }),
    ]),
    isKnown && part(text.texts, [
      bilingual({ record, name: "tagline", label: text.tagline, help: text.taglineHelp, maxLength: 250 }),
      bilingual({
        record,
        name: "terms",
        label: text.terms,
        help: text.termsHelp,
        maxLength: 2000,
        multiline: true,
      }),
      field.text("slipTerms", { multiline: true, maxLength: 400 }),
    ]),
    isKnown && part(text.invoices, invoiceFields(record)),
    isKnown && part(text.paper, [
      component(LogoFields, { record }),
      fold(text.rare, [
        field.text("footer", { multiline: true, maxLength: 1000, empty: "" }),
        option("documentTitle"),
        option("withdrawal"),
        field.text("privacyUrl", { inputMode: "url", maxLength: 250 }),
        field.choice("paperSize", { A4: "A4", Letter: text.letter }),
        component(TimeZoneField, { record }),
      ]),
    ]),
  );
}

const PAYMENT_DAYS = { least: "0", most: "365" };

/** @param {SettingsRecord} record */
function invoiceFields(record) {
  const text = shopWords.value.documents;
  const { invoiceNumbers = {}, paymentDays = 14 } = record.value.value ?? {};
  const field = boundFields(record, text);
  // The patterns of all kinds are one setting; a kind without one has the usual.
  const save = (/** @type {object} */ changed) => {
    const kept = Object.entries({ ...invoiceNumbers, ...changed }).filter(([, pattern]) => pattern);
    record.save({ invoiceNumbers: kept.length ? Object.fromEntries(kept) : null });
  };
  const series = boundFields({ ...record, value: { value: invoiceNumbers }, save }, invoiceWords.value.kinds);
  const pattern = (/** @type {typeof KINDS_OF_INVOICES[number]} */ kind) => {
    const problem = problemAt(record, "invoiceNumbers", `/invoiceNumbers/${kind}`);
    const placeholder = usualPattern(kind, phoneCountry.value);
    return series.text(kind, { maxLength: 40, placeholder, ...(problem ? { problem } : {}) });
  };
  return [
    field.number("paymentDays", PAYMENT_DAYS, {
      whole: true,
      value: paymentDays,
      onValue: (days) => days !== null && record.save({ paymentDays: days }),
    }),
    field.text("exemptReason", { maxLength: 250 }),
    field.select("country", countryOptions(text.noCountry), ""),
    fold(text.invoiceSeries, [
      p({ class: "quiet-text" }, text.invoiceSeriesHelp()),
      ...KINDS_OF_INVOICES.map(pattern),
      conflict(record, "invoiceNumbers"),
    ]),
  ];
}

const USUAL = ["Europe/Dublin", "Europe/London", "Europe/Warsaw", "Europe/Berlin", "UTC"];
const KNOWN = Intl.supportedValuesOf?.("timeZone") ?? USUAL;

/** @param {{ record: SettingsRecord }} props */
function TimeZoneField({ record }) {
  const zone = record.value.value?.timeZone ?? "UTC";
  const device = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([zone, device, ...KNOWN])].filter(Boolean);
  const options = zones.map((value) => ({ value, label: value.replaceAll("_", " ") }));
  return boundFields(record, shopWords.value.documents).select("timeZone", options);
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
      onClick: () => hasUnreadable() || draw(wordsLanguage.value),
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
  const isShown = record.value.value?.showLogo ?? true;
  return [
    boundFields(record, shopWords.value.documents).toggle("showLogo", true),
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
    isUnreadable && notice({ kind: "alarm", text: errorWords.value.errors.unsupported_media_type }),
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
