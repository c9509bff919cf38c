// Loading of a page that is opened by a link, and the notices in place of it: why it could not be loaded, and when that is
// tried again.

import { el } from "./elements.js";
import { isBusy, readToken, secondsToWait } from "./requests.js";

const root = document.getElementById("page");
// There is one countdown at a time.
let timer = 0;

/** The response of `load`, or null where a notice says why there is none. `start` begins anew. */
export async function loadFirst(view, load, start) {
  clearInterval(timer);
  if (!readToken()) return showProblem(view, "incomplete");
  // A fast answer needs no message before it.
  const waiting = setTimeout(() => view.texts && root.replaceChildren(el("p", { class: "notice", role: "status" }, view.texts.loading)), 400);
  const response = await load().catch(lost).finally(() => clearTimeout(waiting));
  return response?.ok ? response : showFailure(view, response, start);
}

/** A module that could not be loaded is reported, and shown like a response that is missing. */
function lost(error) {
  console.error(error);
  return null;
}

function showFailure(view, response, start) {
  if (!view.texts) return showWordless();
  const retry = () => el("button", { class: "main", onclick: start }, view.texts.retry);
  if (response === null) return showProblem(view, "offline", retry());
  if (response.status === 401) return showProblem(view, "invalid");
  if (!isBusy(response)) return showProblem(view, "failed", retry());
  const text = el("p", {});
  const show = (left) => (text.textContent = view.texts.busyText(left));
  show(secondsToWait(response));
  showNotice(view.texts.busyTitle, text);
  everySecond(secondsToWait(response), show, start);
  return null;
}

/** In place of the page: a title and a text by their kind. */
export function showProblem({ texts }, kind, ...more) {
  if (!texts) return showWordless();
  return showNotice(texts[`${kind}Title`], el("p", { role: "status" }, texts[`${kind}Text`]), more);
}

/** Without the words of any language. */
function showWordless() {
  const english = el("p", { lang: "en" }, "This page could not be loaded.");
  const polish = el("p", { lang: "pl" }, "Nie udało się wczytać tej strony.");
  const retry = el("button", { class: "main", onclick: () => location.reload() }, "Try again · Spróbuj ponownie");
  return showNotice(document.title, el("div", { role: "status" }, english, polish), retry);
}

function showNotice(title, ...parts) {
  document.title = title;
  root.replaceChildren(el("main", { class: "notice" }, el("h1", {}, title), parts));
  return null;
}

/** Calls `show` with the seconds that are left, once a second, and then `finish`. */
export function everySecond(seconds, show, finish) {
  const until = Date.now() + seconds * 1000;
  clearInterval(timer);
  timer = setInterval(() => {
    const left = Math.ceil((until - Date.now()) / 1000);
    if (left > 0) return show(left);
    clearInterval(timer);
    finish();
  }, 1000);
}
