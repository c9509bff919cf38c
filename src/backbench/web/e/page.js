// Client page: one estimate, opened by a link, with the client's answer.

import { answer, answerBar } from "./answer.js";
import { comments } from "./comments.js";
import { documentParts } from "./document.js";
import { el } from "./elements.js";
import { loadFirst, showProblem } from "./notices.js";
import { readToken, request } from "./requests.js";
import { decide, sendComment } from "./sending.js";
import { foot, sign } from "./sign.js";
import { draft, load, speak, view } from "./view.js";

const root = document.getElementById("page");
const page = { render, showProblem: (kind) => showProblem(view, kind) };

async function start() {
  view.estimate = null;
  if (!readToken()) await speak(view.locale).catch(console.error);
  if (!await loadFirst(view, loadWithWords, start)) return;
  // A connection that was just lost leaves the page in the language of the browser.
  await speak(view.estimate.locale).catch(() => {});
  render();
  reportOpened();
}

/** The words and the estimate are requested at once. A failure of one waits for the other: it is explained in these words. */
async function loadWithWords() {
  const both = [load(), speak(view.locale)];
  await Promise.allSettled(both);
  return (await Promise.all(both))[0];
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

// --- The page

function render(focused) {
  const { estimate, texts } = view;
  const title = [texts.kind, estimate.number].filter(Boolean).join(" ");
  document.title = `${title}: ${estimate.name} · ${estimate.letterhead.name}`;
  const changes = { render, decide: (kind, body) => decide(page, kind, body) };
  const parts = [
    sign(view, switchLanguage, () => request("/logo?emoji=true")),
    el(
      "main",
      {},
      el("div", { class: "ticket" }, documentParts(view), answer(view, draft, changes)),
      comments(view, draft, (body, first) => sendComment(page, body, first)),
    ),
    foot(view),
    answerBar(view, openAnswer),
  ];
  root.replaceChildren(...parts.filter(Boolean));
  if (focused) document.getElementById(focused)?.focus();
  watchAnswer();
}

async function switchLanguage() {
  await speak(view.locale === "pl" ? "en" : "pl").catch(() => (view.problem = view.texts.otherFailed));
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
  // What is above the screen counts as on it: a jump past the answer is no crossing of its edge.
  observer = new IntersectionObserver(([entry]) => (shownBar.hidden = entry.isIntersecting), { rootMargin: "1000000px 0px -160px" });
  observer.observe(part);
}

// --- Events

// Another link: nothing of the one before is kept.
addEventListener("hashchange", () => location.reload());
addEventListener("online", () => {
  if (view.texts === null) location.reload();
  else if (view.estimate === null) start();
});
start();
// What is new can wait for what there is.
import("./live.js").then(({ follow }) => follow(render), () => {});
