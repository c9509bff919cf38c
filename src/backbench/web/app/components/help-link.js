// Help link: leads from each screen to the page of the help about it.

import { helpAddress } from "../domain/help.js";
import { route } from "../state/router.js";
import { helpWords } from "../words/help.js";
import { wordsLanguage } from "../words/words.js";
import { a, span } from "./tags.js";

export function part() {
  const label = helpWords.value.help;
  return a(
    { class: "help-link", href: helpAddress(wordsLanguage.value, route.value.path), title: label },
    span({ "aria-hidden": "true" }, "?"),
    span({ class: "spoken" }, label),
  );
}
