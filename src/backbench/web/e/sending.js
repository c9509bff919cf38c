// Sending of decisions and comments. `page` draws the outcome: `render(focused)`, or `showProblem(kind)` in its place.

import { everySecond } from "./notices.js";
import { deleteKey, isBusy, request, secondsToWait } from "./requests.js";
import { draft, isDecided, load, view } from "./view.js";

/** Sends the decision, "accept" or "decline", and shows the outcome. About another document it is another request: the fragment is not sent. */
export async function decide(page, kind, body) {
  const { documentHash, voidedDecision } = view.estimate;
  await send(page, `/${kind}#${documentHash}${voidedDecision?.decidedAt}`, body, {
    isDone: () => isDecided(view.estimate),
    onDone() {
      view.isNew = true;
      view.panel = "";
      page.render("answer-title");
    },
  });
}

/** Sends a comment; or draws its form again with the errors, the first of them at the element `focused`. */
export async function sendComment(page, body, focused) {
  if (!body) return page.render(focused);
  const before = view.estimate.comments.length;
  await send(page, "/comments", body, {
    isDone: () => view.estimate.comments.slice(before).some((each) => each.author === "client" && each.text === body.text),
    onDone() {
      draft.comment = "";
      draft.errors = { comment: view.texts.commentSent };
      page.render("comment-note");
    },
  });
}

/** Sends once. Where the answer is lost, the estimate is loaded again to see whether the request arrived. */
async function send(page, path, body, { isDone, onDone }) {
  if (view.isSending) return;
  view.isSending = true;
  page.render();
  const response = await request(path, { method: "POST", body });
  view.isSending = false;
  const part = path === "/comments" ? "comment" : "answer";
  const done = () => {
    deleteKey(path, body);
    onDone();
  };
  if (response === null) {
    const isLoaded = await reload();
    if (isLoaded && isDone()) return done();
    return fail(page, part, isLoaded ? view.texts.sentOffline : view.texts.sentUnknown);
  }
  if (!response.ok) return showError(page, part, response);
  if (!(await reload())) keep(path, await response.json());
  done();
}

async function showError(page, part, response) {
  if (response.status === 401) return page.showProblem("invalid");
  if (isBusy(response)) return waitToSend(page, part, secondsToWait(response));
  const problem = await response.json().catch(() => ({}));
  if (response.status === 409 && part === "answer") {
    if (!(await reload())) return fail(page, part, view.texts.sentFailed);
    const { changed, decided, sentFailed, sentUnknown } = view.texts;
    const notes = { changed, plan_limit: sentFailed, in_progress: sentUnknown };
    view.note = isDecided(view.estimate) ? decided : notes[problem.code] ?? "";
    view.panel = "";
    return page.render("answer-title");
  }
  if (response.status === 409) return fail(page, part, problem.code === "plan_limit" ? view.texts.commentsFull : view.texts.sentUnknown);
  fail(page, part, response.status === 400 ? view.texts.invalidEntry : view.texts.sentFailed);
}

function fail(page, part, text) {
  draft.errors[part] = text;
  // The form of the answer ends with the document that it was about.
  page.render(part === "answer" && !view.panel ? "answer-title" : `${part}-note`);
}

/** Whether the estimate could be loaded again, without showing why not. */
const reload = async () => (await load())?.ok ?? false;

/** The estimate with what was sent, where it cannot be loaded again. */
function keep(path, sent) {
  const { comments } = view.estimate;
  const news = path === "/comments" ? { comments: [...comments, sent] } : { decision: sent, state: sent.outcome, canDecide: false };
  view.estimate = { ...view.estimate, ...news };
}

function waitToSend(page, part, seconds) {
  const show = (left) => {
    draft.errors[part] = view.texts.sentBusy(left);
    const note = document.getElementById(`${part}-note`);
    if (note) note.textContent = draft.errors[part];
  };
  show(seconds);
  page.render(`${part}-note`);
  everySecond(seconds, show, () => {
    draft.errors[part] = "";
    page.render();
  });
}
