// Live: an open page asks for news, so that an answer or another revision appears without a reload.

import { el } from "./elements.js";
import { dayOf } from "./figures.js";
import { draft, load, view } from "./view.js";

const FIRST_MS = 10_000;
// A page that nobody touches asks less and less often.
const SLOWER = 1.25;
const LONGEST_MS = 120_000;
let pause = FIRST_MS;
let timer = 0;

/** From now on changes are drawn with `render`, unless the person is about to answer or to write. */
export function follow(render) {
  document.addEventListener("visibilitychange", () => ask(render));
  addEventListener("pointerdown", () => {
    pause = FIRST_MS;
    later(render);
  });
  later(render);
}

function later(render) {
  clearTimeout(timer);
  timer = setTimeout(() => ask(render), pause);
}

async function ask(render) {
  if (document.visibilityState === "visible" && isIdle()) {
    const before = view.estimate;
    // What was sent meanwhile may be missing in it.
    const isWanted = () => isIdle() && view.estimate === before;
    let isTaken = false;
    await load(() => (isTaken = isWanted()));
    if (isTaken && JSON.stringify(view.estimate) !== JSON.stringify(before)) {
      // What was said of the last request is no longer what is new.
      draft.errors = {};
      render();
      tell(before);
      pause = FIRST_MS;
    } else pause = Math.min(pause * SLOWER, LONGEST_MS);
  }
  later(render);
}

const isIdle = () =>
  view.estimate && !view.panel && !draft.comment && !view.isSending && !document.activeElement?.matches("input, textarea");

/** Says what is new, and leads there. */
function tell(before) {
  const { estimate, texts } = view;
  const isAnswered = answers(estimate) > answers(before);
  const isRevised = estimate.revisionNumber !== before.revisionNumber;
  const isVoided = estimate.voidedDecision && before.decision;
  if (isRevised) show(view.change, ".ticket");
  else if (isVoided) show(texts.voided(dayOf(estimate.voidedDecision.decidedAt, view.locale)), "#answer-title");
  else if (isAnswered) show(texts.newAnswer(estimate.letterhead.name), "#comments-title");
}

const answers = ({ comments }) => comments.filter(({ author }) => author === "workshop").length;

// It covers what is below it: until somebody scrolls, and no longer than it takes to read.
const SHOWN_MS = 8_000;

function show(text, place) {
  const news = document.getElementById("news");
  const button = el("button", {}, text);
  const end = () => button.remove();
  button.onclick = () => {
    end();
    document.querySelector(place)?.scrollIntoView({ block: "start" });
  };
  news.replaceChildren(button);
  setTimeout(end, SHOWN_MS);
  for (const event of ["wheel", "touchmove"]) addEventListener(event, end, { once: true, passive: true });
}
