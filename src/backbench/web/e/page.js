// Client page: one estimate, opened by a link, with the client's answer.

import { answer, answerBar } from "./answer.js";
import { comments } from "./comments.js";
import { everySecond, stopCountdown } from "./countdown.js";
import { documentParts } from "./document.js";
import { el } from "./elements.js";
import { pdf } from "./pdf.js";
import { isBusy, readToken, request, secondsToWait } from "./requests.js";
import { decide, sendComment } from "./sending.js";
import { foot, sign } from "./sign.js";
import { draft, load, speak, view } from "./view.js";

// A page that was in the background for longer is loaded again when it is shown.
const STALE_MS = 60_000;

const root = document.getElementById("page");
const page = { render, showProblem };

async function start() {
  stopCountdown();
  view.estimate = null;
  if (!readToken()) return showProblem("incomplete");
  // A fast answer needs no message before it.
  const waiting = setTimeout(() => root.replaceChildren(el("p", { class: "notice", role: "status" }, view.texts.loading)), 400);
  const response = await load();
  clearTimeout(waiting);
  if (!response?.ok) return showFailure(response);
  speak(view.estimate.locale);
  render();
  reportOpened();
}

/** Why the estimate could not be loaded. */
function showFailure(response) {
  if (response === null) showProblem("offline", retryButton());
  else if (response.status === 401) showProblem("invalid");
  else if (isBusy(response)) countDown(secondsToWait(response));
  else showProblem("failed", retryButton());
}

/** Counts as opened once a person sees the page: neither a prefetch nor a page in the background does. */
function reportOpened() {
  const report = () => {
    if (document.visibilityState !== "visible") return;
    document.removeEventListener("visibilitychange", report);
    // With cookies, so that a visit of the workshop's own members is not counted.
    request("/opened", { method: "POST", credentials: "same-origin" });
  };
  document.addEventListener("visibilitychange", report);
  report();
}

// --- Messages in place of the estimate

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

function render(focused) {
  const { estimate, texts } = view;
  const title = [texts.kind, estimate.number].filter(Boolean).join(" ");
  document.title = `${title}: ${estimate.name} · ${estimate.letterhead.name}`;
  const changes = { render, decide: (kind, body) => decide(page, kind, body) };
  const parts = [
    sign(view, switchLanguage, () => request("/logo")),
    el(
      "main",
      {},
      el("div", { class: "ticket" }, documentParts(view, pdf), answer(view, draft, changes)),
      comments(view, draft, (body, first) => sendComment(page, body, first)),
    ),
    foot(view),
    answerBar(view, openAnswer),
  ];
  root.replaceChildren(...parts.filter(Boolean));
  if (focused) document.getElementById(focused)?.focus();
  watchAnswer();
}

function switchLanguage() {
  speak(view.locale === "pl" ? "en" : "pl");
  render("language");
}

function openAnswer() {
  const heading = document.getElementById("answer-title");
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "start" });
}

/** The bar at the bottom leads to the answer; it is hidden while the answer is on the screen. */
let observer;
function watchAnswer() {
  const [shownBar, part] = [document.querySelector(".bar"), document.getElementById("answer")];
  observer?.disconnect();
  if (!shownBar) return;
  observer = new IntersectionObserver(([entry]) => (shownBar.hidden = entry.isIntersecting || entry.boundingClientRect.top < 0));
  observer.observe(part);
}

// --- Events

addEventListener("hashchange", start);
addEventListener("online", () => view.estimate === null && start());
document.addEventListener("visibilitychange", async () => {
  const isIdle = view.estimate && !view.panel && !draft.comment && !view.isSending;
  const isStale = document.visibilityState === "visible" && isIdle && Date.now() - view.loadedAt > STALE_MS;
  if (isStale && (await load())?.ok) render();
});

speak(view.locale);
start();
