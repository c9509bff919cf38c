// Foot of sending: the one next step: confirm, show the new revision, or hand over.

import {
  boundFields,
  conflict,
  hasUnreadable,
  numberField,
  problemAt,
} from "../../components/bound-fields.js";
import { actionButton } from "../../components/action-button.js";
import { choice, selectField } from "../../components/controls.js";
import { isOnline } from "../../components/command.js";
import { pricesQuestion } from "../../components/prices.js";
import { sheet } from "../../components/sheet.js";
import { component, div, icon, output, p, span } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { USUAL_CURRENCIES } from "../../domain/money.js";
import { amount, localeOf } from "../../domain/format.js";
import { BOUNDS, shown } from "../../domain/numbers.js";
import { usualRates } from "../../domain/taxes.js";
import { editedSettings } from "../../state/edits.js";
import { currency, documentSettings, tilePrices, workshopId } from "../../state/workshops.js";
import { estimate } from "../../state/estimates.js";
import { asked } from "../../state/inbox.js";
import { standing } from "../../state/links.js";
import { replaced } from "../../state/outbox.js";
import { notesRead } from "../../state/preferences.js";
import { answerForDrafts, answerPrices } from "../../state/prices.js";
import { go } from "../../state/router.js";
import { session } from "../../state/session.js";
import { totals } from "../../state/totals.js";
import { useState } from "../../vendor/hooks.js";
import { Fragment } from "../../vendor/preact.js";
import { batch } from "../../vendor/signals.js";
import { sendWords } from "../../words/send.js";
import { words, wordsLanguage } from "../../words/words.js";
import { sumsBelow } from "../builder/lines.js";
import { chosen } from "./choices.js";
import { becomesWork } from "./comments.js";
import { outdatedLink, prepare, showAddress } from "./preparing.js";
import { usedUp } from "./limit.js";
import { latestNumber } from "./sending.js";
import { mainWay } from "./sharing.js";
/** @typedef {import("./sending.js").Sending} Sending */

/** @param {{ sending: Sending }} props */
export const foot = (props) => component(Foot, props);

/** @param {{ sending: Sending }} props */
function Foot({ sending }) {
  const [isAsking, setAsking] = useState(false);
  const progress = sending.progress.value;
  const made = sending.ready.value;
  const start = () => {
    if (asksFirst(sending)) setAsking(true);
    else void prepare(sending);
  };
  const confirmed = () => {
    setAsking(false);
    void prepare(sending);
  };
  const first = isAsking &&
    component(FirstSheet, { id: sending.id, onDone: confirmed, onClose: () => setAsking(false) });
  if (sending.handed.value && !sending.isChanged.value) return handed(sending);
  // The client has said yes: the order is the one step left.
  if (standing(sending.id)?.outcome === "accepted" && !sending.isChanged.value) {
    return becomesWork({ sending, isMain: true });
  }
  if (asked.value.has(replaced(sending.id)) && !sending.isChanged.value) return answerButton();
  if (made && !progress) return div({ class: "stack" }, offline(), mainOf(sending, made));
  return component(Fragment, {}, first, div({ class: "stack" }, offline(), step(sending, start)));
}

/** Leads to the answer, which is on the page. */
function answerButton() {
  const toField = () => {
    const field = document.querySelector(/** @type {"textarea"} */ (".talk textarea"));
    field?.focus();
    field?.scrollIntoView({ block: "center" });
  };
  const label = sendWords.value.toAnswer;
  return actionButton({ kind: "main", wide: true, label, icon: "message-circle", onClick: toField });
}

/** A closed address is shown again before it can be shared. @param {Sending} sending @param {import("./sending.js").Package} made */
function mainOf(sending, made) {
  const isClosed = made.link !== undefined && !made.address;
  if (!isClosed) return mainWay({ sending, made });
  return actionButton({
    kind: "main",
    wide: true,
    label: sendWords.value.sendAgain,
    icon: "link",
    disabled: !isOnline(),
    onClick: () => void showAddress(sending, made),
  });
}

/** @param {Sending} sending @param {() => void} onClick */
function step(sending, onClick) {
  const text = sendWords.value;
  const progress = sending.progress.value;
  const hasLines = (estimate(sending.id).value?.lineItems.length ?? 0) > 0;
  // What is confirmed has the currency and tax of the settings, and what they lack is asked for first.
  const isKnown = !sending.isChanged.value || documentSettings.value !== null;
  return [
    actionButton({
      kind: "main",
      wide: true,
      label: progress ? text.progress[progress] : labelOf(sending),
      icon: progress ? "clock" : "send",
      busy: progress !== "",
      // A link and a PDF can be made again.
      isFinal: sending.isChanged.value || outdatedLink(sending) !== undefined,
      disabled: !isOnline() || !hasLines || !isKnown || usedUp(sending) !== null,
      onClick,
    }),
    p({ class: "spoken", role: "status" }, progress && text.progress[progress]),
  ];
}

/** @param {Sending} sending */
function labelOf(sending) {
  const text = sendWords.value;
  const number = latestNumber(sending);
  if (!sending.isChanged.value) {
    if (chosen.value.way === "pdf") return text.makePdf(number);
    if (outdatedLink(sending)) return text.showRevision(number);
  }
  return text.sendSum(totalOfEstimate(sending.id));
}

/** Why nothing can be sent now. */
function offline() {
  if (isOnline()) return null;
  return p({ class: "row quiet-text", role: "status" }, icon("wifi-off"), span({}, sendWords.value.offline));
}

/** It has left: what comes next. @param {Sending} sending */
function handed(sending) {
  const text = sendWords.value;
  const { common } = words.value;
  const { kind = "pdf-shared", pdfExportId } = sending.handed.value ?? {};
  const isOnDevice = kind === "email-opened" || kind === "message-copied";
  const isToAttach = isOnDevice && pdfExportId !== undefined && pdfExportId === sending.ready.value?.pdf?.id;
  return div(
    { class: "stack" },
    p({ class: "send-done", role: "status" }, icon("circle-check"), common.handoff[kind]),
    isToAttach && p({}, text.attach),
    div(
      { class: "send-next" },
      becomesWork({ sending }),
      actionButton({ kind: "main", label: text.done, onClick: () => go("/estimates") }),
    ),
  );
}

// First: tax, currency and telephone are asked once, in a sheet before the first confirmation, which freezes them.

/** @typedef {import("../../state/edits.js").Edited<Api.DocumentSettings>} SettingsRecord */

const OTHER = "other";
const NONE = "none";
const noteOf = () => `first-confirmation:${workshopId.value}`;

/** Whether nothing is known about the workshop's documents, and nothing was asked. @param {import("./sending.js").Sending} sending */
function asksFirst(sending) {
  const settings = documentSettings.value;
  if (!settings || latestNumber(sending) || !sending.isChanged.value) return false;
  const { taxPercent, address, phone, taxId } = settings;
  return taxPercent === undefined && !address && !phone && !taxId && !notesRead.value.includes(noteOf());
}

/** @param {{ id: string, onDone: () => void, onClose: () => void }} props */
function FirstSheet({ id, onDone, onClose }) {
  const text = sendWords.value;
  const record = editedSettings();
  const known = documentSettings.value?.email ?? "";
  // Of somebody who gives no contact the client has at least this one; it can be changed or emptied here.
  const [email, setEmail] = useState(known || (session.value.me?.email ?? ""));
  const done = () => {
    if (hasUnreadable()) return;
    if (email.trim() !== known) record.save({ email: email.trim() });
    notesRead.value = [...notesRead.value, noteOf()];
    if (record.value.value?.taxPercent !== undefined) void answerForDrafts(tilePrices.value);
    onDone();
  };
  return sheet(
    { title: text.firstTitle, onClose, foot: confirmButton(id, done) },
    div(
      { class: "stack" },
      p({ class: "quiet-text" }, text.firstHelp),
      currencyField(record),
      conflict(record, "currency"),
      component(TaxField, { record, id }),
      conflict(record, "taxPercent"),
      totalOf(id),
      boundFields(record, { phone: text.workshopPhone }).text("phone", {
        type: "tel",
        maxLength: 250,
        autocomplete: undefined,
        empty: "",
      }),
      emailField(email, setEmail),
      actionButton({ label: text.moreOnDocument, kind: "quiet", href: "/shop/documents" }),
    ),
  );
}

/** What is confirmed is on the button. @param {string} id @param {() => void} onClick */
function confirmButton(id, onClick) {
  return actionButton({
    kind: "main",
    wide: true,
    icon: "send",
    label: sendWords.value.sendSum(totalOfEstimate(id)),
    isFinal: true,
    onClick,
  });
}

/** @param {string} id */
const totalOfEstimate = (id) => amount(totals(id).value?.total ?? "0", currency.value, wordsLanguage.value);

/** The total, as it becomes with each answer. @param {string} id */
function totalOf(id) {
  const [shown, found] = [estimate(id).value, totals(id).value];
  return output({}, shown && found && sumsBelow(shown, found));
}

/** @param {string} value @param {(value: string) => void} onInput */
function emailField(value, onInput) {
  const { recipientEmail: label, workshopEmailHelp: help } = sendWords.value;
  return textField({ label, help, type: "email", value, maxLength: 250, onInput });
}

/** The tax, and whether it is in the prices. @param {{ record: SettingsRecord, id: string }} props */
function TaxField({ record, id }) {
  const { taxPercent, pricesEntered } = record.value.value ?? {};
  // Most prices are told to persons, who pay what they are told.
  const [prices, setPrices] = useState(pricesEntered ?? "gross");
  // In one go: no sum is shown in between that has another tax than the one that is asked for.
  const setTax = (/** @type {number | undefined} */ percent) =>
    batch(() => {
      record.save({ taxPercent: percent });
      if (percent !== undefined) answerPrices(prices, id);
    });
  const answer = (/** @type {import("../../state/prices.js").Prices} */ to) => {
    setPrices(to);
    answerPrices(to, id);
  };
  return div(
    { class: "stack" },
    component(RateField, { record, setTax }),
    taxPercent !== undefined && pricesQuestion({ id, value: prices, onChange: answer }),
  );
}

/** @typedef {{ record: SettingsRecord, setTax: (percent: number | undefined) => void }} Rate */

/** The usual rates of the country, none, or another one. @param {Rate} props */
function RateField({ record, setTax }) {
  const text = sendWords.value;
  const { taxPercent, currency: code = "EUR", timeZone } = record.value.value ?? {};
  const rates = usualRates(timeZone, code).map(String);
  const present = taxPercent === undefined ? NONE : String(taxPercent);
  const [isOther, setOther] = useState(false);
  const isTyped = isOther || (present !== NONE && !rates.includes(present));
  const pick = (/** @type {string} */ value) => {
    setOther(value === OTHER);
    if (value !== OTHER) setTax(value === NONE ? undefined : Number(value));
  };
  return div(
    { class: "stack" },
    choice({
      label: text.charges,
      value: isTyped ? OTHER : present,
      options: [
        { value: NONE, label: text.noTax },
        ...rates.map((value) => ({ value, label: `${shown(value, wordsLanguage.value)}%` })),
        { value: OTHER, label: text.otherRate },
      ],
      onChange: pick,
    }),
    isTyped && component(OtherRate, { record, setTax }),
  );
}

/** @param {Rate} props */
const OtherRate = ({ record, setTax }) =>
  numberField({
    label: sendWords.value.tax,
    value: record.value.value?.taxPercent,
    bounds: BOUNDS.taxPercent,
    onValue: (percent) => percent !== null && setTax(percent),
    refused: problemAt(record, "taxPercent"),
  });

/** @param {SettingsRecord} record */
function currencyField(record) {
  const names = new Intl.DisplayNames(localeOf(wordsLanguage.value), { type: "currency" });
  const code = record.value.value?.currency ?? "EUR";
  return selectField({
    label: sendWords.value.currency,
    value: code,
    options: [...new Set([code, ...USUAL_CURRENCIES])].map((value) => ({
      value,
      label: `${value} · ${names.of(value) ?? value}`,
    })),
    onChange: (value) => record.save({ currency: /** @type {Api.DocumentSettings["currency"]} */ (value) }),
  });
}
