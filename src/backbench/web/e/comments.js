// Questions and comments, and the ways to reach the workshop.

import { callLink, el, field } from "./elements.js";
import { time } from "./figures.js";

const MAX_TEXT = 2000;
// The number of characters left is shown below this.
const SHOWN_LEFT = 200;
const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+$/;
// An address may contain `?` and `&`.
export const mailTo = (email) => `mailto:${encodeURIComponent(email).replace("%40", "@")}`;

export function comments(view, draft, send) {
  const { estimate, texts, locale } = view;
  return el(
    "section",
    { class: "ticket talk", "aria-labelledby": "comments-title" },
    el("h2", { id: "comments-title" }, texts.comments),
    el("p", {}, texts.commentsIntro(estimate.letterhead.name)),
    contact(view),
    estimate.comments.length > 0 && el("ol", {}, estimate.comments.map((each) => comment(each, texts, locale))),
    form(view, draft, send),
  );
}

function contact({ estimate, texts }) {
  const { phone = "", email = "" } = estimate.letterhead;
  const links = [];
  const href = callLink(phone);
  if (href) links.push(el("a", { href }, `${texts.call} `, el("span", { class: "whole" }, phone)));
  else if (phone) links.push(el("span", {}, phone));
  if (EMAIL.test(email)) links.push(el("a", { href: mailTo(email) }, `${texts.write} `, el("span", {}, email)));
  else if (email) links.push(el("span", {}, email));
  return links.length > 0 && el("div", { class: "buttons contact" }, links);
}

function comment({ author, name, text, createdAt }, texts, locale) {
  return el(
    "li",
    { class: author },
    el(
      "p",
      { class: "second" },
      el("b", {}, name),
      author === "workshop" && ` · ${texts.fromWorkshop}`,
      " · ",
      el("time", { datetime: createdAt }, time(createdAt, locale)),
    ),
    el("p", { class: "text" }, text),
  );
}

function form(view, draft, send) {
  const { texts, estimate } = view;
  const { errors } = draft;
  const left = el("p", { class: "hint", id: "comment-left", role: "status" });
  const text = el("textarea", { id: "comment", rows: 3, maxlength: MAX_TEXT, oninput: () => typed() });
  const name = el("input", { id: "comment-name", autocomplete: "name", maxlength: 250, oninput: () => (draft.name = name.value) });
  // Whom the estimate is for asks most often; to accept, the name is typed.
  [text.value, name.value] = [draft.comment, draft.name || (estimate.recipient?.name ?? "")];
  const typed = () => {
    draft.comment = text.value;
    const count = MAX_TEXT - text.value.length;
    left.textContent = count < SHOWN_LEFT ? texts.left(count) : "";
  };
  const submit = (event) => {
    event.preventDefault();
    draft.errors = {
      comment: "",
      commentText: !draft.comment.trim() && texts.missingText,
      commentName: !name.value.trim() && texts.missingName,
    };
    const first = draft.errors.commentText ? "comment" : draft.errors.commentName ? "comment-name" : "";
    return first ? send(null, first) : send({ name: name.value.trim(), text: draft.comment.trim() });
  };
  return el(
    "form",
    { novalidate: true, onsubmit: submit, "aria-labelledby": "comments-title" },
    field(text, { label: texts.comment, error: errors.commentText }),
    left,
    field(name, { label: texts.yourName, error: errors.commentName }),
    el("p", { class: "hint strong", id: "comment-note", role: "status", tabindex: "-1" }, errors.comment),
    el("div", { class: "choice" }, el("button", { "data-final": true, disabled: view.isSending }, view.isSending ? texts.sending : texts.sendComment)),
  );
}
