// Question: how the client gets the estimate. Language, tone and what is shown are one line that opens.

import { choice, fold, languageChoice, toggle } from "../../components/controls.js";
import { component, div, section } from "../../components/tags.js";
import { offers } from "../../local/system.js";
import { sendChoices } from "../../state/preferences.js";
import { useEffect } from "../../vendor/hooks.js";
import { sendWords } from "../../words/send.js";
import { words } from "../../words/words.js";
import {
  choose,
  chooseLanguage,
  chooseToggle,
  chosen,
  clientLanguage,
  isMarkOptional,
  TOGGLES,
} from "./choices.js";

/** @param {{ sending: import("./sending.js").Sending }} props */
export const question = (props) => component(Question, props);

/** @param {{ sending: import("./sending.js").Sending }} props */
function Question({ sending }) {
  const text = sendWords.value;
  const { way } = chosen.value;
  return section(
    { class: "panel" },
    choice({
      label: text.question,
      value: way,
      options: [
        { value: "link", label: text.wayLink },
        { value: "pdf", label: text.wayPdf },
        { value: "both", label: text.wayBoth },
      ],
      onChange: (value) => choose({ way: value }),
    }),
    fold(inOneLine(), options({ sending })),
  );
}

/** "English · friendly · preliminary". */
function inOneLine() {
  const text = sendWords.value;
  const { common } = words.value;
  const { locale, tone, preliminary } = chosen.value;
  return [common.languages[locale], text[tone], preliminary && text.preliminary].filter(Boolean).join(" · ");
}

// Options: the client's language, the tone, and what the client sees.

/** @type {Partial<Record<import("./choices.js").Toggle, () => string>>} */
const HELP = {
  breakdown: () => sendWords.value.onlyTotal,
  showMarkup: () => sendWords.value.insidePrices,
  showDiscount: () => sendWords.value.insidePrices,
};

/** @param {{ sending: import("./sending.js").Sending }} props */
const options = (props) => component(Options, props);

/** @param {{ sending: import("./sending.js").Sending }} props */
function Options({ sending }) {
  const text = sendWords.value;
  const { locale, tone } = chosen.value;
  useEffect(() => {
    // What is on the screen is remembered, also if the language of the app changes later.
    if (!clientLanguage.peek() && !sendChoices.peek().locale) choose({ locale });
  }, []);
  return div(
    { class: "stack" },
    languageChoice({ label: text.language, value: locale, onChange: chooseLanguage }),
    choice({
      label: text.tone,
      value: tone,
      options: [{ value: "friendly", label: text.friendly }, { value: "formal", label: text.formal }],
      onChange: (value) => choose({ tone: value }),
    }),
    ...ofWay(sending),
    ...TOGGLES.map(shows),
  );
}

/** What only a PDF, or only a link can be. @param {import("./sending.js").Sending} sending */
function ofWay(sending) {
  const text = sendWords.value;
  const { preliminary, way } = chosen.value;
  return [
    way !== "link" && toggle({
      label: text.preliminary,
      help: text.preliminaryHelp,
      value: preliminary,
      onChange: (value) => choose({ preliminary: value }),
    }),
    way !== "pdf" && toggle({
      label: text.canDecide,
      help: text.canDecideHelp,
      value: sending.canDecide.value,
      onChange: (value) => (sending.canDecide.value = value),
    }),
  ];
}

/** @param {import("./choices.js").Toggle} name */
function shows(name) {
  const text = sendWords.value;
  const isFixed = name === "showBrandMark" && !isMarkOptional.value;
  if (isFixed && !offers("plans")) return null;
  const help = isFixed ? text.markStays : HELP[name]?.();
  return toggle({
    label: text.toggles[name],
    value: chosen.value.toggles[name],
    disabled: isFixed,
    onChange: (value) => chooseToggle(name, value),
    ...(help ? { help } : {}),
  });
}
