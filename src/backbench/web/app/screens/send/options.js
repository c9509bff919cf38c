// Options: the client's language, the tone, and what the PDF shows.

import { choice } from "../../components/choice.js";
import { component, details, div, h2, icon, section, span, summary } from "../../components/tags.js";
import { toggle } from "../../components/toggle.js";
import { words } from "../../i18n/index.js";
import { sendChoices } from "../../state/preferences.js";
import { useEffect } from "../../vendor/hooks.js";
import { choose, chooseToggle, chosen, isMarkOptional, TOGGLES } from "./choices.js";

/** @type {Partial<Record<import("./choices.js").Toggle, () => string>>} */
const HELP = {
  breakdown: () => words.value.send.onlyTotal,
  showMarkup: () => words.value.send.insidePrices,
  showDiscount: () => words.value.send.insidePrices,
};

export const options = () => component(Options, {});

function Options() {
  const text = words.value.send;
  const { locale, preliminary } = chosen.value;
  useEffect(() => {
    // What stands on the screen is what is remembered, also if the language of the app changes later.
    if (!sendChoices.peek().locale) choose({ locale });
  }, []);
  return section(
    { class: "panel" },
    h2({}, text.how),
    language(),
    tone(),
    toggle({
      label: text.preliminary,
      help: text.preliminaryHelp,
      value: preliminary,
      onChange: (value) => choose({ preliminary: value }),
    }),
    shows(),
  );
}

function language() {
  const { languages } = words.value.common;
  return choice({
    label: words.value.send.language,
    value: chosen.value.locale,
    options: [{ value: "en", label: languages.en }, { value: "pl", label: languages.pl }],
    onChange: (locale) => choose({ locale }),
  });
}

function tone() {
  const text = words.value.send;
  return choice({
    label: text.tone,
    value: chosen.value.tone,
    options: [{ value: "friendly", label: text.friendly }, { value: "formal", label: text.formal }],
    onChange: (value) => choose({ tone: value }),
  });
}

/** What the PDF shows. */
function shows() {
  const text = words.value.send;
  const { toggles } = chosen.value;
  return details(
    { class: "more" },
    summary({}, span({}, text.shows), icon("chevron-down")),
    div(
      { class: "stack" },
      ...TOGGLES.map((name) => {
        const isFixed = name === "showBrandMark" && !isMarkOptional.value;
        const help = isFixed ? text.markStays : HELP[name]?.();
        return toggle({
          label: text.toggles[name],
          value: toggles[name],
          disabled: isFixed,
          onChange: (value) => chooseToggle(name, value),
          ...(help ? { help } : {}),
        });
      }),
    ),
  );
}
