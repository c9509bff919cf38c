/** Where the parts meet: preferences, words, router, session, then the screen of the address. */

import { h, render } from "./vendor/preact.js";
import { application } from "./screens/application.js";
import { loadWords } from "./i18n/index.js";
import { applyTheme, language } from "./state/preferences.js";
import { startRouter } from "./state/router.js";
import { start } from "./state/session.js";
import { effect } from "./vendor/signals.js";
import { ROUTES } from "./routes.js";
import { register } from "./state/versions.js";

startRouter(ROUTES);
effect(applyTheme);
effect(() => {
  document.documentElement.lang = language.value;
});
await Promise.all([loadWords(language.value), start()]);
render(h(application, { routes: ROUTES }), /** @type {Element} */ (document.getElementById("app")));
register();
