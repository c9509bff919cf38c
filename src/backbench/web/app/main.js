// Where the parts meet: preferences, words, router, session, then the screen of the address.

import { keepFocus } from "./components/focus-keeper.js";
import { loadFonts } from "./components/fonts.js";
import { button, component, div, p } from "./components/tags.js";
import { loadWords } from "./words/words.js";
import { ROUTES } from "./routes.js";
import { Application } from "./screens/application.js";
import { rendered } from "./state/first.js";
import { firstData } from "./state/first-data.js";
import { loadRest } from "./state/missing.js";
import { start, startInstalling } from "./state/start.js";
import { applyTheme, language } from "./state/preferences.js";
import { route, startRouter } from "./state/router.js";
import { render } from "./vendor/preact.js";
import { effect } from "./vendor/signals.js";

startRouter(ROUTES);
startInstalling();
keepFocus();
void firstData.then(loadFonts);
// Nobody presses twice before there is something to press.
void firstData.then(() => loadRest(() => import("./press-guard.js")));
effect(applyTheme);
effect(() => {
  document.documentElement.lang = language.value;
  void loadWords(language.value);
});
// What cannot be loaded is said where the screen is shown.
void ROUTES.find(({ name }) => name === route.peek().name)?.load().catch(() => {});
// No `await` here: modules that are loaded in the meantime import from the file which has this one.
void Promise.all([loadWords(language.value), start()]).then(() => {
  render(component(Application, { routes: ROUTES }), document.body);
  rendered();
  void firstData.then(() => loadRest(async () => (await import("./state/rest.js")).startRest()));
}).catch(notStarted);

/** Nobody is left with an empty page; the words may be what could not be loaded. @param {unknown} error */
function notStarted(error) {
  const text = "Backbench could not start. Nothing you entered is lost. · " +
    "Nie udało się uruchomić Backbench. Nic z tego, co wpisano, nie przepadło.";
  const reload = button({ class: "button", onClick: () => location.reload() }, "Reload · Odśwież");
  render(div({ class: "notice alarm", role: "alert" }, p({}, text), reload), document.body);
  reportError(error);
}
