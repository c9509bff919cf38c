import { actionButton, announcer } from "../components/action-button.js";
import { later } from "../components/later.js";
import { component, div, h1, p } from "../components/tags.js";
import { undoBar } from "../components/undo-bar.js";
import { hasNoTiles, isNewWorkshop } from "../state/start.js";
import { go, route } from "../state/router.js";
import { session } from "../state/session.js";
import { isSignInLater } from "../state/status.js";
import { hasWorkshops, workshop } from "../state/workshops.js";
import { useErrorBoundary } from "../vendor/hooks.js";
import { words } from "../words/words.js";
import { missing, useScreen } from "./loading.js";

/** The app: the screen of the address, once what it needs is there, and the sign-in sheet over it after an expiry. */

/** @typedef {import("../routes.js").Route} Route */

const Expired = later(() => import("./expired.js"));
const Overlays = later(() => import("./overlays.js"));

/** @param {{ routes: readonly Route[] }} props */
export function Application({ routes }) {
  const wanted = routeToShow(routes);
  const { screen, failed, retry } = useScreen(wanted);
  const { visit, params } = route.value;
  return div(
    { class: "application" },
    failed && missing(retry),
    screen && component(Boundary, { key: visit }, component(screen, { params, key: visit })),
    isSignInAsked(wanted) && component(Expired, {}),
    announcer(),
    undoBar({}),
    component(Overlays, {}),
  );
}

/** What may be shown: sign-in for who is not signed in, the first run for who has no workshop.
 * @param {readonly Route[]} routes
 * @returns {Route | null} null while that is not known */
function routeToShow(routes) {
  const named = (/** @type {string} */ name) => routes.find((each) => each.name === name) ?? null;
  const found = named(route.value.name) ?? named("board");
  const { phase } = session.value;
  if (found?.needs === "nothing" || hasKey(found)) return found;
  if (phase === "starting") return null;
  if (phase === "signed-out") return named("sign-in");
  if (found?.needs === "workshop" && workshop.value === null) {
    return hasWorkshops.value ? named("start") : null;
  }
  if (isFirstRun(found)) return named("start");
  return found;
}

/** The session has ended, and what is shown needs one. @param {Route | null} shown */
function isSignInAsked(shown) {
  return session.value.phase === "expired" && !isSignInLater.value && shown?.needs !== "nothing";
}

/** The board of a new workshop, and a new estimate without tiles, begin with the craft. @param {Route | null} found */
function isFirstRun(found) {
  if (found?.name === "board") return isNewWorkshop.value;
  return found?.name === "builder" && route.value.params.estimateId === "new" && hasNoTiles.value;
}

/** A wall display has its key in the address. @param {Route | null} found */
function hasKey(found) {
  return found?.name === "floor" && location.hash.startsWith("#bbk_");
}

/** One error boundary a screen: what failed is said, nothing that was typed is lost, and the way on is one button. */

/** @param {{ children?: import("../vendor/preact.js").ComponentChildren }} props */
function Boundary({ children }) {
  const [error, reset] = useErrorBoundary((problem) => reportError(problem));
  if (!error) return div({ class: "boundary" }, children);
  const { buttons, failed } = words.value.common;
  const again = () => {
    reset();
    go("/");
  };
  return div(
    { class: "notice alarm", role: "alert" },
    h1({}, failed),
    error.requestId && p({}, error.requestId),
    actionButton({ label: buttons.back, kind: "main", onClick: again }),
  );
}
