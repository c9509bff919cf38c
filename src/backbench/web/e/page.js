// Client page: one estimate, opened by a link, with the client's answer. The token is in the fragment of the address, which
// browsers do not send; it leaves the page only as a bearer token to the API. Nothing is stored in the browser.

import { answer, answerBar } from "./answer.js";
import { comments } from "./comments.js";
import { documentParts } from "./document.js";
import { el } from "./elements.js";
import { foot, sign } from "./sign.js";
import { TEXTS } from "./texts.js";

const API = "/api/client/estimate";
const TIMEOUT_MS = 30_000;
// A page that was in the background for longer is loaded again when it is shown.
const STALE_MS = 60_000;
const DEFAULT_WAIT = 10;

const page = document.getElementById("page");
const guess = navigator.language.startsWith("pl") ? "pl" : "en";
/** What the page shows. `note`: a message above the answer. `panel`: the form that is open, "accept" or "decline". */
const view = { locale: guess, texts: TEXTS[guess], estimate: null, note: "", panel: "", isNew: false, isSending: false };
/** What the person has entered; kept when the page is drawn again. */
const draft = { name: "", agreed: false, draws: false, drawing: [], reason: "", comment: "", errors: {} };
let token = location.hash.slice(1);
let loadedAt = 0;
let timer = 0;

// --- Requests

class Offline extends Error {}

/** Raises Offline where there is no answer. */
async function request(path, { method = "GET", body, credentials = "omit" } = {}) {
  const headers = { Authorization: `Bearer ${token}` };
  if (body) headers["Content-Type"] = "application/json";
  try {
    return await fetch(API + path, {
      method,
      headers,
      credentials,
      body: body && JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.timeout?.(TIMEOUT_MS),
    });
  } catch {
    throw new Offline();
  }
}

function secondsToWait(response) {
  const seconds = Number.parseInt(response.headers.get("Retry-After"), 10);
  return seconds > 0 ? seconds : DEFAULT_WAIT;
}

/** Loads the estimate. Returns false after it has shown why it could not. */
async function load() {
  let response;
  try {
    response = await request("");
  } catch {
    showProblem("offline", retryButton());
    return false;
  }
  if (response.status === 401) showProblem("invalid");
  else if (response.status === 429 || response.status === 503) countDown(secondsToWait(response));
  else if (!response.ok) showProblem("failed", retryButton());
  else {
    const isFirst = view.estimate === null;
    view.estimate = await response.json();
    loadedAt = Date.now();
    if (isFirst) speak(view.estimate.locale);
    return true;
  }
  return false;
}

async function start() {
  clearInterval(timer);
  token = location.hash.slice(1);
  view.estimate = null;
  if (!token) return showProblem("incomplete");
  // A fast answer needs no message before it.
  const waiting = setTimeout(() => page.replaceChildren(el("p", { class: "notice", role: "status" }, view.texts.loading)), 400);
  const isLoaded = await load();
  clearTimeout(waiting);
  if (!isLoaded) return;
  render();
  reportOpened();
}

/** Counts as opened once a person sees the page: neither a prefetch nor a page in the background does. */
function reportOpened() {
  const report = () => {
    if (document.visibilityState !== "visible") return;
    document.removeEventListener("visibilitychange", report);
    // With cookies, so that a visit of the workshop's own members is not counted.
    request("/opened", { method: "POST", credentials: "same-origin" }).catch(() => {});
  };
  document.addEventListener("visibilitychange", report);
  report();
}

// --- Messages in place of the estimate

function showProblem(kind, ...more) {
  document.title = view.texts[`${kind}Title`];
  page.replaceChildren(
    el("main", { class: "notice" }, el("h1", {}, view.texts[`${kind}Title`]), el("p", { role: "status" }, view.texts[`${kind}Text`]), more),
  );
}

const retryButton = () => el("button", { class: "main", onclick: start }, view.texts.retry);

function countDown(seconds) {
  const text = el("p", {}, view.texts.busyText(seconds));
  document.title = view.texts.busyTitle;
  page.replaceChildren(el("main", { class: "notice" }, el("h1", {}, view.texts.busyTitle), text));
  everySecond(seconds, (left) => (text.textContent = view.texts.busyText(left)), start);
}

function everySecond(seconds, show, finish) {
  const until = Date.now() + seconds * 1000;
  clearInterval(timer);
  timer = setInterval(() => {
    const left = Math.ceil((until - Date.now()) / 1000);
    if (left > 0) return show(left);
    clearInterval(timer);
    finish();
  }, 1000);
}

// --- The page

function speak(locale) {
  view.locale = locale;
  view.texts = TEXTS[locale];
  document.documentElement.lang = locale;
}

function render(focused) {
  const { estimate, texts } = view;
  const title = [texts.kind, estimate.number].filter(Boolean).join(" ");
  document.title = `${title}: ${estimate.name} · ${estimate.letterhead.name}`;
  const parts = [
    sign(view, switchLanguage),
    el(
      "main",
      {},
      el("div", { class: "ticket" }, documentParts(view, actions), answer(view, draft, { render, decide })),
      comments(view, draft, sendComment),
    ),
    foot(view),
    answerBar(view, openAnswer),
  ];
  page.replaceChildren(...parts.filter(Boolean));
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

// --- PDF and its pages

const actions = {
  async download(button, failed) {
    button.disabled = true;
    const response = await request("/pdf").catch(() => null);
    button.disabled = false;
    if (!response?.ok) return failed(problemOf(response));
    const address = URL.createObjectURL(await response.blob());
    el("a", { href: address, download: fileName(response) }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  },
  /** The picture of a page and the number of pages. */
  async picture(number, width) {
    const response = await request(`/pages/${number}?width=${width}`).catch(() => null);
    if (!response?.ok) throw new Error(problemOf(response));
    return [await createImageBitmap(await response.blob()), Number(response.headers.get("Page-Count"))];
  },
};

function fileName(response) {
  const sent = response.headers.get("Content-Disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(sent);
  return encoded ? decodeURIComponent(encoded[1]) : `${view.texts.kind} ${view.estimate.name}.pdf`;
}

function problemOf(response) {
  if (response === null) return view.texts.offlineTitle;
  return response.status === 429 || response.status === 503 ? view.texts.sentBusy(secondsToWait(response)) : view.texts.sentFailed;
}

// --- Answering

/** Sends the decision, "accept" or "decline", and shows the outcome. */
async function decide(kind, body) {
  await send(`/${kind}`, body, {
    isDone: () => view.estimate.decision !== undefined,
    onDone() {
      view.isNew = true;
      view.panel = "";
      render("answer-title");
    },
  });
}

/** Sends a comment; or draws its form again with the errors, the first of them at the element `focused`. */
async function sendComment(body, focused) {
  if (!body) return render(focused);
  const before = view.estimate.comments.length;
  await send("/comments", body, {
    isDone: () => view.estimate.comments.slice(before).some((each) => each.author === "client" && each.text === body.text),
    onDone() {
      draft.comment = "";
      draft.errors = { comment: view.texts.commentSent };
      render("comment-note");
    },
  });
}

/** Sends once. Where the answer is lost, the estimate is loaded again to see whether the request arrived. */
async function send(path, body, { isDone, onDone }) {
  const part = path === "/comments" ? "comment" : "answer";
  const fail = (text) => {
    draft.errors[part] = text;
    render(`${part}-note`);
  };
  if (view.isSending) return;
  view.isSending = true;
  render();
  const response = await request(path, { method: "POST", body }).catch(() => null);
  view.isSending = false;
  if (response === null) {
    const isLoaded = await reload();
    if (isLoaded && isDone()) return onDone();
    return fail(isLoaded ? view.texts.sentOffline : view.texts.sentUnknown);
  }
  if (response.ok) {
    if (!(await reload())) keep(path, await response.json());
    return onDone();
  }
  if (response.status === 401) return showProblem("invalid");
  if (response.status === 429 || response.status === 503) return waitToSend(part, secondsToWait(response));
  const problem = await response.json().catch(() => ({}));
  if (response.status === 409 && part === "answer") {
    await reload();
    view.note = problem.code === "changed" ? view.texts.changed : view.estimate.decision ? view.texts.decided : "";
    view.panel = "";
    return render("answer-title");
  }
  if (response.status === 409) return fail(view.texts.commentsFull);
  fail(response.status === 400 ? view.texts.invalidEntry : view.texts.sentFailed);
}

/** Whether the estimate could be loaded again, without showing why not. */
async function reload() {
  const response = await request("").catch(() => null);
  if (!response?.ok) return false;
  view.estimate = await response.json();
  loadedAt = Date.now();
  return true;
}

/** The estimate with what was sent, where it cannot be loaded again. */
function keep(path, sent) {
  if (path === "/comments") view.estimate.comments.push(sent);
  else Object.assign(view.estimate, { decision: sent, state: sent.outcome, canDecide: false });
}

function waitToSend(part, seconds) {
  const show = (left) => {
    draft.errors[part] = view.texts.sentBusy(left);
    const note = document.getElementById(`${part}-note`);
    if (note) note.textContent = draft.errors[part];
  };
  show(seconds);
  render(`${part}-note`);
  everySecond(seconds, show, () => {
    draft.errors[part] = "";
    render();
  });
}

// --- Events

addEventListener("hashchange", start);
addEventListener("online", () => view.estimate === null && start());
document.addEventListener("visibilitychange", async () => {
  const isIdle = view.estimate && !view.panel && !draft.comment && !view.isSending;
  if (document.visibilityState === "visible" && isIdle && Date.now() - loadedAt > STALE_MS && (await reload())) render();
});

speak(view.locale);
start();
