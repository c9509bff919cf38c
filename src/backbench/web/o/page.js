// Status page: how one order stands, for whoever has its code. For a signed-in member the address opens the app.

import { el } from "/e/elements.js";
import { loadFirst, showProblem } from "/e/notices.js";
import { deleteKey, isBusy, request, secondsToWait } from "/e/requests.js";
import { sign } from "/e/sign.js";
import { contact, orderParts } from "./order.js";
import { photos } from "./photos.js";
import { questions } from "./questions.js";
import { TEXTS } from "./texts.js";

// A page that was in the background for longer is loaded again when it is shown.
const STALE_MS = 60_000;

const root = document.getElementById("page");
const guess = navigator.language.startsWith("pl") ? "pl" : "en";
const view = { locale: guess, texts: TEXTS[guess], order: null, loadedAt: 0, isSending: false };
const draft = { name: "", text: "", note: "", errors: {} };

async function start() {
  view.order = null;
  const response = await loadFirst(view, load, start);
  if (!response) return;
  const orderId = response.headers.get("Backbench-Order");
  if (orderId) return location.replace(`/orders/${orderId}`);
  render();
}

async function load(isWanted = () => true) {
  // With the cookies of a member, the response names the order for the app.
  const response = await request("", { credentials: "same-origin" });
  const order = response?.ok && await response.json();
  if (order && isWanted()) Object.assign(view, { order, loadedAt: Date.now() });
  return response;
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
  const main = el("main", {}, el("div", { class: "ticket" }, orderParts(view)), photos(view), contact(view), questions(view, draft, send));
  root.replaceChildren(board, main, el("footer", {}));
  if (focused) document.getElementById(focused)?.focus();
}

async function send(body, first) {
  if (view.isSending) return;
  draft.note = "";
  if (!body) return render(first);
  view.isSending = true;
  render();
  const before = view.order.questions.length;
  const response = await request("/questions", { method: "POST", body });
  // Where the response is lost, the order says whether the question arrived.
  const isLoaded = (response?.ok ?? true) && (await load())?.ok;
  const isNew = ({ by, text }) => by === "customer" && text === body.text;
  view.isSending = false;
  if (response?.status === 401) return showProblem(view, "invalid");
  if (response?.ok || view.order.questions.slice(before).some(isNew)) {
    deleteKey("/questions", body);
    draft.text = "";
    draft.note = view.texts.sent;
  } else draft.note = response ? await problemOf(response) : isLoaded ? view.texts.notSent : view.texts.sentUnknown;
  render("question-note");
}

async function problemOf(response) {
  const { wait, notSent, tooMany, sentUnknown } = view.texts;
  if (isBusy(response)) return wait(secondsToWait(response));
  if (response.status === 409 && (await response.json()).code === "plan_limit") return tooMany;
  return response.status === 400 ? notSent : sentUnknown;
}

// --- Events

addEventListener("hashchange", () => location.reload());
addEventListener("online", () => view.order === null && start());
document.addEventListener("visibilitychange", async () => {
  const before = view.order;
  // What was sent or is being written meanwhile stays.
  const isIdle = () => before && view.order === before && !draft.text && !view.isSending && !document.activeElement?.matches("input, textarea");
  const isStale = document.visibilityState === "visible" && Date.now() - view.loadedAt > STALE_MS;
  if (!isStale || !isIdle()) return;
  let isTaken = false;
  await load(() => (isTaken = isIdle()));
  if (isTaken) render();
});
speak(view.locale);
start();
