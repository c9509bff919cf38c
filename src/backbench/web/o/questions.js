// Questions about the order and their answers.

import { el, field } from "/e/elements.js";
import { time } from "/e/figures.js";

const MAX_TEXT = 2000;
const MAX_NAME = 250;

/** `send` gets the question to send, or the id of the field to correct. */
export function questions({ order, texts, locale, isSending }, draft, send) {
  return el(
    "section",
    { class: "ticket talk", "aria-labelledby": "questions-title" },
    el("h2", { id: "questions-title" }, texts.questions),
    order.questions.length > 0 && el("ol", {}, order.questions.map((each) => question(each, texts, locale))),
    form(texts, draft, isSending, send),
  );
}

function question({ by, name, text, at }, texts, locale) {
  return el(
    "li",
    { class: by === "member" ? "workshop" : null },
    el(
      "p",
      { class: "second" },
      el("b", {}, name),
      by === "member" && ` · ${texts.fromWorkshop}`,
      " · ",
      el("time", { datetime: at }, time(at, locale)),
    ),
    el("p", { class: "text" }, text),
  );
}

function form(texts, draft, isSending, send) {
  const { errors } = draft;
  const text = el("textarea", { id: "question", rows: 3, maxlength: MAX_TEXT, oninput: () => (draft.text = text.value) });
  const name = el("input", { id: "name", autocomplete: "name", maxlength: MAX_NAME, oninput: () => (draft.name = name.value) });
  [text.value, name.value] = [draft.text, draft.name];
  const submit = (event) => {
    event.preventDefault();
    draft.errors = { text: !draft.text.trim() && texts.missingText, name: !draft.name.trim() && texts.missingName };
    if (draft.errors.text) return send(null, "question");
    if (draft.errors.name) return send(null, "name");
    return send({ name: draft.name.trim(), text: draft.text.trim() });
  };
  return el(
    "form",
    { novalidate: true, onsubmit: submit, "aria-labelledby": "questions-title" },
    field(text, { label: texts.question, error: errors.text }),
    field(name, { label: texts.yourName, error: errors.name }),
    el("p", { class: "hint strong", id: "question-note", role: "status", tabindex: "-1" }, draft.note),
    el("div", { class: "choice" }, el("button", { "data-final": true, disabled: isSending }, isSending ? texts.sending : texts.send)),
  );
}
