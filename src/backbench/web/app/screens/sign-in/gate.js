// Gate: the ticket that stands before the app: sign-in, sign-up, a new password.

import { component, div, main, p } from "../../components/tags.js";
import { useEffect } from "../../vendor/hooks.js";
import { LanguageChoice } from "./form.js";

/** @param {any[]} children */
export const gate = (...children) => component(Gate, {}, ...children);

/** @param {{ children?: any }} props */
function Gate({ children }) {
  useEffect(() => {
    document.title = "Backbench";
  }, []);
  return main(
    { class: "gate" },
    div({ class: "gate-panel" }, p({ class: "gate-name" }, "Backbench"), children),
    component(LanguageChoice, {}),
  );
}
