// Status page: how one order stands, for whoever has its code. For a signed-in member the address opens the app.

import { everySecond, stopCountdown } from "/e/countdown.js";
import { el } from "/e/elements.js";
import { sign } from "/e/sign.js";
import { contact, orderParts } from "./order.js";
import { questions } from "./questions.js";
import { isBusy, readToken, request, secondsToWait } from "./requests.js";
import { TEXTS } from "./texts.js";

// A page that was in the background for longer is loaded again when it is shown.
const STALE_MS = 60_000;

const root = document.getElementById("page");
const guess = navigator.language.startsWith("pl") ? "pl" : "en";
const view = { locale: guess, texts: TEXTS[guess], order: null, loadedAt: 0, isSending: false };
const draft = { name: "", text: "", note: "", errors: {} };

async function start() {
  stopCountdown();
  view.order = null;
  if (!readToken()) return showProblem("incomplete");
  // A fast answer needs no message before it.
  const waiting = setTimeout(() => root.replaceChildren(el("p", { class: "notice", role: "status" }, view.texts.loading)), 400);
  const response = await load();
  clearTimeout(waiting);
  if (!response?.ok) return showFailure(response);
  const orderId = response.headers.get("Backbench-Order");
  if (orderId) return location.replace(`/orders/${orderId}`);
  render();
}

async function load() {
  const response = await request();
  if (response?.ok) Object.assign(view, { order: await response.json(), loadedAt: Date.now() });
  return response;
}

// --- Messages in place of the order

/** Why the order could not be loaded. */
function showFailure(response) {
  if (response === null) showProblem("offline", retryButton());
  else if (response.status === 401) showProblem("invalid");
  else if (isBusy(response)) countDown(secondsToWait(response));
  else showProblem("failed", retryButton());
}

function showProblem(kind, ...more) {
  document.title = view.texts[`${kind}Title`];
  root.replaceChildren(
    el("main", { class: "notice" }, el("h1", {}, view.texts[`${kind}Title`]), el("p", { role: "status" }, view.texts[`${kind}Text`]), more),
  );
}

const retryButton = () => el("button", { class: "main", onclick: start }, view.texts.retry);

function countDown(seconds) {
  const text = el("p", {}, view.texts.busyText(seconds));
  document.title = view.texts.busyTitle;
  root.replaceChildren(el("main", { class: "notice" }, el("h1", {}, view.texts.busyTitle), text));
  everySecond(seconds, (left) => (text.textContent = view.texts.busyText(left)), start);
}

// --- The page

function speak(locale) {
  Object.assign(view, { locale, texts: TEXTS[locale] });
  document.documentElement.lang = locale;
}

function switchLanguage() {
  speak(view.locale === "pl" ? "en" : "pl");
  render("language");
}

function render(focused) {
  const { order, texts } = view;
  document.title = `${texts.order} ${order.number}: ${order.title} · ${order.workshop.name}`;
  const board = sign({ estimate: { letterhead: order.workshop }, texts, locale: view.locale }, switchLanguage);
  const main = el("main", {}, el("div", { class: "ticket" }, orderParts(view)), contact(view), questions(view, draft, send));
  root.replaceChildren(board, main, el("footer", {}));
  if (focused) document.getElementById(focused)?.focus();
}

async function send(body, first) {
  if (view.isSending) return;
  draft.note = "";
  if (!body) return render(first);
  view.isSending = true;
  render();
  const response = await request("/questions", body);
  view.isSending = false;
  if (response?.ok) {
    draft.text = "";
    draft.note = view.texts.sent;
    await load();
  } else if (response?.status === 401) return showProblem("invalid");
  else if (response?.status === 409) draft.note = view.texts.tooMany;
  else draft.note = response && isBusy(response) ? view.texts.wait(secondsToWait(response)) : view.texts.notSent;
  render("question-note");
}

// --- Events

addEventListener("hashchange", start);
addEventListener("online", () => view.order === null && start());
document.addEventListener("visibilitychange", async () => {
  const isIdle = view.order && !draft.text && !view.isSending;
  const isStale = document.visibilityState === "visible" && isIdle && Date.now() - view.loadedAt > STALE_MS;
  if (isStale && (await load())?.ok) render();
});

speak(view.locale);
start();
