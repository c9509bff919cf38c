// Send: an estimate leaves the workshop. One question: how does the client get it?

import { boundFields, conflictChoice } from "../components/bound-fields.js";
import { request } from "../api/client.js";
import { missing, notYet, useAnswer } from "../components/answer.js";
import { isOffline } from "../api/problems.js";
import { actionButton } from "../components/action-button.js";
import { notice } from "../components/notice.js";
import { frame } from "../components/frame.js";
import { later } from "../components/later.js";
import { money } from "../components/prices.js";
import { isOnline } from "../components/command.js";
import { stamp } from "../components/ticket.js";
import { chips, fold } from "../components/controls.js";
import { component, datalist, div, h2, option, p, section, span } from "../components/tags.js";
import { textField } from "../components/text-field.js";
import { shortDate } from "../domain/format.js";
import { isLocal } from "../domain/ids.js";
import { wasSent } from "../domain/stages.js";
import { workName } from "../domain/work-name.js";
import { customerOf, openCustomer } from "../state/customers.js";
import { editEstimate, editFacts, estimate, facts } from "../state/estimates.js";
import { shared, standing } from "../state/links.js";
import { settle } from "../state/outbox.js";
import { softly } from "../state/records.js";
import { go } from "../state/router.js";
import { totals } from "../state/totals.js";
import { documentSettings, workshop } from "../state/workshops.js";
import { useEffect, useLayoutEffect, useState } from "../vendor/hooks.js";
import { explained } from "../words/problems.js";
import { estimateWords } from "../words/estimates.js";
import { sendWords } from "../words/send.js";
import { words, wordsLanguage } from "../words/words.js";
import { stageOf } from "./estimates.js";
import { takeRecipient, useRecipients } from "./recipients.js";
import { chosen, clientLanguage } from "./send/choices.js";
import { becomesWork, comments, history } from "./send/comments.js";
import { decided, decision } from "./send/decision.js";
import { foot } from "./send/foot.js";
import { takeUp } from "./send/preparing.js";
import { limitPanel, usedUp } from "./send/limit.js";
import { message } from "./send/message.js";
import { links } from "./send/links.js";
import { pictures } from "./send/pictures.js";
import { question } from "./send/question.js";
import { latestNumber, openSending, sendingOf } from "./send/sending.js";
import { record, ways } from "./send/sharing.js";
/** @typedef {import("./send/sending.js").Sending} Sending */

const PushHint = later(() => import("./send/push-hint.js"));

/** @param {{ params: Readonly<Record<string, string>> }} props */
export function screen({ params }) {
  const sending = sendingOf(params["estimateId"] ?? "");
  const opened = useOpened(sending);
  const text = sendWords.value;
  const shown = estimate(sending.id).value;
  if (!shown) {
    return frame(
      { title: text.send, place: "estimates", back: "/estimates" },
      missing(opened, {
        text: text.gone,
        action: { label: text.toEstimates, onClick: () => go("/estimates") },
      }),
    );
  }
  const isSent = latestNumber(sending) > 0;
  const title = isSent ? shown.name : shown.recipientName ? text.sendTo(shown.recipientName) : text.send;
  return frame(
    {
      title,
      place: "estimates",
      back: `/estimates/${shown.id}`,
      foot: foot({ sending }),
      problem: component(FootProblem, { sending }),
    },
    // Without a connection what is known is shown.
    opened.problem && !isOffline(opened.problem) && notYet(opened),
    component(Content, { sending, shown, isOpened: isAnswered(opened) }),
  );
}

/** @param {Sending} sending */
function useOpened(sending) {
  const opened = useAnswer(() => openSending(sending), sending.id);
  const isOpened = isAnswered(opened);
  const online = isOnline();
  // Before the paint: the buttons below must not change under a finger.
  useLayoutEffect(() => void (sending.handed.value = null), [sending.id]);
  const lost = sending.unrecorded.value;
  useEffect(() => {
    // Also where the server answered another request before this page was drawn without a connection.
    if (lost && online) void record(sending, lost);
  }, [lost, online]);
  useClientLanguage(sending);
  useReadableName(sending);
  const choices = JSON.stringify(chosen.value);
  useEffect(() => {
    // What was made before for these choices is there already.
    if (isOpened && online && !sending.isChanged.peek() && !sending.ready.peek()) void takeUp(sending);
  }, [isOpened, choices]);
  return opened;
}

/** Whether the server was asked. @param {ReturnType<typeof useOpened>} opened */
const isAnswered = ({ data, problem }) => data !== null || (problem !== null && !isOffline(problem));

/** A name that the app gave says nothing to the client: it becomes that of the work, as on an order. @param {Sending} sending */
function useReadableName(sending) {
  const { id, name, lineItems } = estimate(sending.id).value ?? {};
  // Of one that was sent it would be another revision. That it is a draft can be known after it was pressed.
  const isDraft = isLocal(id ?? "") || (sending.summary.value?.state === "draft" && !latestNumber(sending));
  const isRenamed = isDraft && !sending.progress.value;
  const readable = name && lineItems && isRenamed ? workName(name, lineItems) : name;
  // Before the paint: what is pressed is what is confirmed.
  useLayoutEffect(() => {
    if (id && readable && readable !== name) editEstimate(id, { name: readable });
  }, [id, readable]);
}

/** The client is written to in the language of its record. @param {Sending} sending */
function useClientLanguage(sending) {
  const customerId = facts(sending.id).value?.customerId ?? "";
  const known = customerOf(customerId)?.locale;
  const online = isOnline();
  useEffect(() => {
    if (customerId && online && !isLocal(customerId)) void softly(() => openCustomer(customerId));
  }, [customerId, online]);
  useLayoutEffect(() => {
    clientLanguage.value = known;
    return () => void (clientLanguage.value = undefined);
  }, [sending.id, known]);
}

/** Why the last step was refused, or the next one is not possible. @param {{ sending: Sending }} props */
function FootProblem({ sending }) {
  const limit = usedUp(sending);
  if (limit !== null) return notice({ kind: "warning", text: sendWords.value.limit(limit) });
  const problem = sending.problem.value;
  return problem && notice({ kind: "alarm", text: explained(problem) });
}

/** @param {{ sending: Sending, shown: Api.Estimate, isOpened: boolean }} props `isOpened`: the server was asked */
function Content({ sending, shown, isOpened }) {
  const limit = usedUp(sending);
  const made = sending.ready.value;
  const found = standing(sending.id);
  const isOffered = !sending.handed.value && found === undefined;
  const isAccepted = found?.outcome === "accepted" && !sending.isChanged.value;
  const isSent = latestNumber(sending) > 0;
  // Of one that was sent before this visit: what is chosen and written now stays to be seen.
  const [isFolded] = useState(() => wasSent(sending.summary.peek()) && !sending.isChanged.peek());
  // What the client said comes above it.
  const isKnown = !isFolded || isOpened || !isOnline();
  const how = !isAccepted && [
    question({ sending }),
    made ? message({ sending, made }) : client({ estimate: shown }),
    made && ways({ sending, made }),
  ];
  return div(
    { class: "send" },
    div(
      { class: "stack" },
      overview({ sending, shown, pages: shown.lineItems.length > 0 && pagesOf({ sending, made }) }),
      decision({ sending }),
      comments({ sending }),
      limit !== null && limitPanel({ sending }),
    ),
    isKnown && div(
      { class: "stack" },
      how &&
        (isFolded && !sending.isChanged.value
          ? section({ class: "panel" }, fold(sendWords.value.howSent, how))
          : how),
      ...(isSent ? [links({ sending }), decided({ sending })] : []),
      isOffered && becomesWork({ sending }),
      history({ sending }),
      component(PushHint, { sending }),
    ),
  );
}

// Sources: where the pictures of the pages come from: the stored PDF, or a preview of what it will be.

/** @typedef {import("./send/sending.js").Package} Package */

const WIDTH = 1080;

/** @param {{ sending: Sending, made: Package | null }} props */
const pagesOf = (props) => component(PagesOf, props);

/** @param {{ sending: Sending, made: Package | null }} props */
function PagesOf({ sending, made }) {
  const pdfExportId = made?.pdf?.id ?? made?.link?.pdfExportId;
  if (made && pdfExportId) return pictures({ source: stored(made.id, pdfExportId) });
  return div(
    { class: "send-preview" },
    pictures({ source: preview(sending) }),
    sending.isChanged.value && p({ class: "preview-mark" }, sendWords.value.preview),
  );
}

/** @param {string} id @param {string} pdfExportId @returns {import("./send/pictures.js").Source} */
function stored(id, pdfExportId) {
  return {
    id: pdfExportId,
    load: (page) =>
      request("GET /estimates/{estimateId}/pdf-exports/{pdfExportId}/pages/{pageNumber}", {
        estimateId: id,
        pdfExportId,
        pageNumber: page,
        width: WIDTH,
      }, { as: "blob" }),
  };
}

/** @param {Sending} sending @returns {import("./send/pictures.js").Source} */
function preview(sending) {
  const { locale, toggles } = chosen.value;
  const { name, titleFont, background, accentColor, logo } = workshop.value ?? {};
  const look = [
    sending.content.value,
    documentSettings.value,
    name,
    titleFont,
    background,
    accentColor,
    logo,
  ];
  return {
    id: JSON.stringify([sending.id, locale, toggles, look]),
    load: async (page) => {
      const id = await settle(sending.id);
      return await request("GET /estimates/{estimateId}/preview", {
        estimateId: id,
        page,
        locale,
        ...toggles,
        width: WIDTH,
      }, { as: "blob" });
    },
  };
}

// Overview: what is about to leave: name, sum, state, and what is missing.

/** @param {{ sending: Sending, shown: Api.Estimate, pages: any }} props `pages`: the pictures of what the client gets */
function overview({ sending, shown, pages }) {
  const { common } = words.value;
  if (!shown.lineItems.length) return empty(shown);
  const sum = totals(sending.id).value?.total ?? "0";
  const { validUntil } = sending.summary.value?.latestRevision ?? {};
  const isValid = validUntil !== undefined && !sending.isChanged.value;
  const facts = [
    common.lines(shown.lineItems.length),
    isValid && common.dates.validUntil(shortDate(validUntil, wordsLanguage.value)),
  ].filter(Boolean).join(" · ");
  return section(
    { class: "panel send-overview" },
    div(
      {},
      h2({ class: "send-name" }, shown.name),
      p({ class: "quiet-text" }, facts),
      toLines(shown),
    ),
    div(
      { class: "send-sum" },
      span({ class: "spoken" }, common.money.total),
      money({ amount: sum }),
      state(sending),
    ),
    pages,
  );
}

/** @param {Api.Estimate} shown */
function toLines({ id, name }) {
  const { change } = words.value.common.buttons;
  return actionButton({
    label: change,
    about: name,
    icon: "pencil",
    kind: "quiet",
    href: `/estimates/${id}`,
  });
}

/** @param {Api.Estimate} shown */
function empty(shown) {
  const text = sendWords.value;
  const action = { label: text.toLines, href: `/estimates/${shown.id}` };
  return notice({ kind: "warning", text: text.empty, action });
}

/** @param {Sending} sending */
function state(sending) {
  const number = latestNumber(sending);
  const found = sending.summary.value;
  const { stages } = estimateWords.value;
  const stage = sending.isChanged.value || !found ? (number ? "changed" : "draft") : stageOf(found);
  return [
    stamp({ status: stage, word: stages[stage] }),
    number > 0 && p({ class: "quiet-text" }, sendWords.value.revision(number)),
  ];
}

// Client: for whom the estimate is, and where it can be sent to.

/** @typedef {"recipientEmail" | "recipientPhone" | "recipientAddress"} Field */

const LIST = "send-recipients";

/** @param {{ estimate: Api.Estimate }} props */
const client = (props) => component(Client, props);

/** @param {{ estimate: Api.Estimate }} props */
function Client({ estimate }) {
  const text = sendWords.value;
  const known = useRecipients();
  const name = (/** @type {string} */ value) => {
    editEstimate(estimate.id, { recipientName: value.trim() || null });
    const found = known.find((one) => one.name === value.trim());
    if (found) takeRecipient(estimate.id, found);
  };
  const value = estimate.recipientName ?? "";
  return section(
    { class: "panel" },
    h2({}, text.client),
    textField({ label: text.name, value, onCommit: name, maxLength: 250, list: LIST, autocomplete: "off" }),
    !value && chips({ label: text.name, chips: askers(estimate.id), onTap: name }),
    conflictChoice({ objectId: estimate.id, field: "recipientName" }),
    datalist({ id: LIST }, ...known.map((one) => option({ value: one.name }))),
    addresses(estimate.id),
  );
}

/** Who has asked something about it, by name. @param {string} id */
function askers(id) {
  const comments = shared(id).value?.comments ?? [];
  const names = comments.filter(({ author }) => author === "client").map(({ name }) => name);
  return [...new Set(names)].map((value) => ({ value, label: value }));
}

/** Where the message goes. @param {string} id */
function addresses(id) {
  const text = sendWords.value;
  const save = editFacts.bind(null, id);
  const field = boundFields({ kind: "document", id, part: "document", value: facts(id), save }, text);
  return fold(text.addresses, [
    field.text("recipientEmail", { type: "email", empty: "" }),
    field.text("recipientPhone", { type: "tel", empty: "" }),
    field.text("recipientAddress", { multiline: true, maxLength: 2000, empty: "" }),
    p({ class: "quiet-text" }, text.addressesHelp),
  ]);
}
