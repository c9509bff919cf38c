// The answer: accepting or declining, and afterwards what was decided and what follows.

import { el, field, later, loadModule } from "./elements.js";
import { dayOf, endOf, money, time } from "./figures.js";
import { request } from "./requests.js";
import { depositLabel, totalLabel } from "./sums.js";
import { typeset } from "./texts.js";
import { isDecided } from "./view.js";

const MAX_NAME = 250;
const MAX_REASON = 2000;

/** The stub of the ticket. `changes`: `render` draws the page again, `decide` sends the decision. */
export function answer(view, draft, changes) {
  const parts = { accept: acceptForm, decline: declineForm };
  const content = isDecided(view.estimate) ? outcome : view.estimate.canDecide ? (parts[view.panel] ?? choice) : reading;
  return el(
    "section",
    { class: "stub", id: "answer", "aria-labelledby": "answer-title" },
    content(view, draft, changes),
  );
}

export function answerBar({ estimate, texts, locale, panel }, openAnswer) {
  if (!estimate.canDecide || panel) return null;
  return el(
    "nav",
    { class: "bar", "aria-label": texts.answer },
    el("p", {}, el("span", {}, totalLabel(estimate, texts)), " ", el("b", {}, totalOf(estimate, locale))),
    el("button", { class: "main", onclick: openAnswer }, texts.toAnswer),
  );
}

const totalOf = ({ sums, currency }, locale) => money(sums.total, currency, locale);
const heading = (text) => el("h2", { id: "answer-title", tabindex: "-1" }, text);
const voided = ({ voidedDecision }, texts, locale) => texts.voided(dayOf(voidedDecision.decidedAt, locale));
const older = ({ decision }, texts) => decision && el("p", { class: "hint" }, texts.olderDeclined(decision.revisionNumber));
const noteOf = (draft) => el("p", { class: "error", id: "answer-note", role: "alert", tabindex: "-1" }, draft.errors.answer);

// --- Before the decision

function choice(view, draft, { render }) {
  const { estimate, texts, locale } = view;
  const open = (panel) => () => {
    Object.assign(view, { panel, note: "" });
    draft.errors = {};
    render("answer-title");
  };
  const until = endOf(estimate, locale);
  return [
    heading(texts.answer),
    view.note && el("p", { class: "hint strong", role: "alert" }, view.note),
    estimate.voidedDecision && el("p", { class: "strong" }, `${voided(estimate, texts, locale)} ${texts.answerAgain}`),
    el("p", {}, until ? texts.until(until) : texts.openEnded),
    older(estimate, texts),
    el(
      "div",
      { class: "choice" },
      el("button", { class: "main", onclick: open("accept") }, texts.accept),
      el("button", { onclick: open("decline") }, texts.decline),
    ),
  ];
}

function acceptForm(view, draft, { render, decide }) {
  const { estimate, texts, locale } = view;
  const { errors } = draft;
  const name = nameInput(draft, true);
  const agree = el("input", { type: "checkbox", id: "agree", onchange: () => (draft.agreed = agree.checked) });
  agree.checked = draft.agreed;
  if (errors.agreed) {
    agree.setAttribute("aria-invalid", "true");
    agree.setAttribute("aria-describedby", "agree-error");
  }
  const submit = async (event) => {
    event.preventDefault();
    draft.errors = {
      name: !draft.name.trim() && texts.missingName,
      drawing: draft.draws && !draft.drawing?.groups.length && texts.missingDrawing,
      agreed: !draft.agreed && texts.missingConsent,
    };
    const missing = { name: "name", drawing: "drawing", agreed: "agree" };
    const first = Object.keys(missing).find((each) => draft.errors[each]);
    if (first) return render(missing[first]);
    const signature = draft.draws ? { kind: "drawn", strokes: (await loadModule("./drawing.js")).strokesOf(draft.drawing) } : { kind: "typed" };
    const body = { name: draft.name.trim(), documentHash: estimate.documentHash, consentId: estimate.consent.id, agreed: true, signature };
    await decide("accept", estimate.earlyStart && draft.startEarly ? { ...body, startEarly: true } : body);
  };
  return el(
    "form",
    { novalidate: true, onsubmit: submit, "aria-labelledby": "answer-title" },
    heading(texts.acceptHeading),
    el("p", {}, texts.acceptIntro(estimate.revisionNumber)),
    amounts(view),
    field(name, { label: texts.yourName, hint: texts.nameHint, error: errors.name }),
    draft.draws ? drawing(view, draft, render) : drawButton(view, draft, render),
    el(
      "div",
      { class: "field" },
      el(
        "label",
        { class: "check", for: "agree" },
        agree,
        el("span", {}, el("span", { class: "consent" }, texts.agree), " ", el("q", { lang: estimate.locale }, typeset(estimate.consent.text, estimate.locale))),
      ),
      errors.agreed && el("p", { class: "error", id: "agree-error" }, errors.agreed),
    ),
    estimate.earlyStart && earlyStart(estimate, draft),
    el("p", { class: "hint" }, texts.simple),
    privacy(view),
    noteOf(draft),
    buttons(view, texts.confirmAccept(totalOf(estimate, locale)), render),
  );
}

/** Nobody has to ask for it. */
function earlyStart(estimate, draft) {
  const box = el("input", { type: "checkbox", id: "start-early", onchange: () => (draft.startEarly = box.checked) });
  box.checked = draft.startEarly;
  return el("div", { class: "field" }, el("label", { class: "check", for: "start-early" }, box, el("span", { lang: estimate.locale }, typeset(estimate.earlyStart, estimate.locale))));
}

/** Who keeps what the client enters here, and why. */
function privacy({ estimate, texts }) {
  const { name, privacyUrl } = estimate.letterhead;
  const more = privacyUrl && el("a", { href: privacyUrl, rel: "noopener noreferrer", target: "_blank" }, texts.privacyMore);
  return el("p", { class: "hint" }, texts.privacy(name), more && " ", more);
}

/** What is agreed to, in figures: the total with tax, the deposit, and until when. */
function amounts({ estimate, texts, locale }) {
  const { deposit } = estimate.sums;
  const rows = [
    [totalLabel(estimate, texts), totalOf(estimate, locale)],
    deposit && [depositLabel(deposit, texts, locale), money(deposit.amount, estimate.currency, locale)],
    estimate.expiresAt && [texts.valid, endOf(estimate, locale)],
  ];
  return el("dl", { class: "amounts" }, rows.filter(Boolean).map(([label, text]) => el("div", {}, el("dt", {}, label), el("dd", {}, text))));
}

function declineForm(view, draft, { render, decide }) {
  const { texts } = view;
  const reason = el("textarea", { id: "reason", rows: 3, maxlength: MAX_REASON, oninput: () => (draft.reason = reason.value) });
  reason.value = draft.reason;
  const submit = (event) => {
    event.preventDefault();
    draft.errors = {};
    const body = {};
    if (draft.name.trim()) body.name = draft.name.trim();
    if (draft.reason.trim()) body.reason = draft.reason.trim();
    return decide("decline", body);
  };
  return el(
    "form",
    { novalidate: true, onsubmit: submit, "aria-labelledby": "answer-title" },
    heading(texts.declineHeading),
    field(reason, { label: texts.reason, hint: texts.reasonHint, optional: texts.optionalField }),
    field(nameInput(draft, false), { label: texts.yourName, optional: texts.optionalField }),
    el("p", { class: "hint" }, texts.declineNote),
    noteOf(draft),
    buttons(view, texts.confirmDecline, render),
  );
}

function nameInput(draft, isRequired) {
  const name = el("input", {
    id: "name",
    autocomplete: "name",
    maxlength: MAX_NAME,
    required: isRequired,
    oninput: () => (draft.name = name.value),
  });
  name.value = draft.name;
  return name;
}

function buttons(view, label, render) {
  const { texts } = view;
  const back = () => {
    view.panel = "";
    render("answer-title");
  };
  return el(
    "div",
    { class: "choice" },
    el("button", { class: "main", "data-final": true, disabled: view.isSending }, view.isSending ? texts.sending : label),
    el("button", { type: "button", disabled: view.isSending, onclick: back }, texts.back),
  );
}

// --- Drawn signature

function drawButton({ texts }, draft, render) {
  const open = () => {
    draft.draws = true;
    render("drawing");
  };
  return el("button", { type: "button", class: "quiet", onclick: open }, texts.drawToo);
}

function drawing({ texts }, draft, render) {
  const canvas = el("canvas", { id: "drawing", role: "img", tabindex: "0", "aria-label": texts.drawing, "aria-describedby": "drawing-hint" });
  const clear = el("button", { type: "button" }, texts.clear);
  const close = () => {
    Object.assign(draft, { draws: false, drawing: null });
    render("name");
  };
  const note = el("p", { class: "error", role: "status" }, draft.errors.drawing);
  loadModule("./drawing.js").then(({ openPad }) => {
    const pad = openPad(canvas, draft.drawing ?? {}, (drawn) => (draft.drawing = drawn));
    clear.addEventListener("click", pad.clear);
  }, () => (note.textContent = texts.offlineTitle));
  return el(
    "div",
    { class: "field" },
    el("p", { class: "label", id: "drawing-hint" }, texts.drawHint),
    canvas,
    note,
    el("div", { class: "buttons" }, clear, el("button", { type: "button", onclick: close }, texts.noDrawing)),
  );
}

// --- Without a decision to take, and after it

function reading({ estimate, texts, locale, note }) {
  const text = estimate.state === "expired" ? texts.expiredText : texts.readOnlyText;
  // The text of a superseded one is at the top already.
  const isSaid = estimate.state === "superseded";
  const voidedNote = estimate.voidedDecision && el("p", { class: "strong" }, voided(estimate, texts, locale));
  return [heading(texts.states[estimate.state] ?? texts.answer), note && el("p", { role: "alert" }, note), voidedNote, !isSaid && el("p", {}, text), older(estimate, texts)];
}

/** What is left of the deposit, and how to pay it. Its script is loaded when there is one. */
function depositToPay({ payment: paid, sums }, texts, locale) {
  return later("./payment.js", ({ payment }) =>
    payment(paid, locale, texts.depositKinds[sums.deposit?.kind ?? "advance"], () => request("/payment-code")),
  );
}

function outcome({ estimate, texts, locale, note, isNew }) {
  const { decision, letterhead } = estimate;
  const isAccepted = decision.outcome === "accepted";
  const title = isAccepted ? (isNew ? texts.acceptedTitle : texts.acceptedTitleLater) : texts.declinedTitle;
  // What a member recorded was not signed here: there is neither a document that was agreed to nor a hash of it.
  const isRecorded = decision.method !== undefined && decision.method !== "link";
  // Another link may show another document. A server of the release before does not name the one that was decided.
  const { documentHash = estimate.documentHash, pdfHash = estimate.pdfHash } = decision;
  const known = isAccepted ? texts.nextAccepted(letterhead.name) : texts.nextDeclined(letterhead.name);
  const steps = isRecorded
    ? [texts.nextChange]
    : [known, estimate.receipt && texts.nextReceipt, isAccepted && pdfHash === estimate.pdfHash && texts.nextPdf, isAccepted && texts.nextCertificate, texts.nextChange];
  return [
    heading(title),
    note && el("p", { class: "hint strong", role: "alert" }, note),
    el("p", { class: "strong" }, texts.byWhen(decision.name, time(decision.decidedAt, locale, true))),
    isRecorded && el("p", {}, texts.recorded[decision.outcome](texts.methods[decision.method] ?? "")),
    estimate.payment && depositToPay(estimate, texts, locale),
    decision.revisionNumber !== estimate.revisionNumber
      ? el("p", {}, texts.otherRevision(decision.revisionNumber))
      : !isRecorded && documentHash !== estimate.documentHash && el("p", {}, texts.otherForm),
    el("h3", {}, texts.next),
    el("ul", {}, steps.filter(Boolean).map((step) => el("li", {}, step))),
    !isRecorded && el(
      "details",
      {},
      el("summary", {}, texts.evidence),
      el(
        "dl",
        {},
        el("dt", {}, texts.documentHash),
        el("dd", { class: "hash" }, documentHash),
        el("dt", {}, texts.pdfHash),
        el("dd", { class: "hash" }, pdfHash),
      ),
    ),
  ];
}
