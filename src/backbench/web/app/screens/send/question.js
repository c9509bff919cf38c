// Question: how the client gets the estimate. Language, tone and what is shown are one line that opens.

import { choice } from "../../components/choice.js";
import { component, details, div, icon, section, span, summary } from "../../components/tags.js";
import { words } from "../../words/words.js";
import { sendWords } from "../../words/send.js";
import { choose, chosen } from "./choices.js";
import { options } from "./options.js";

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
    details(
      { class: "more" },
      summary({}, span({}, inOneLine()), icon("chevron-down")),
      div({ class: "stack" }, options({ sending })),
    ),
  );
}

/** "English · friendly · preliminary". */
function inOneLine() {
  const text = sendWords.value;
  const { common } = words.value;
  const { locale, tone, preliminary } = chosen.value;
  return [common.languages[locale], text[tone], preliminary && text.preliminary].filter(Boolean).join(" · ");
}
