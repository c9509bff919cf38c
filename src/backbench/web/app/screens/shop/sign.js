// Sign: how the workshop looks in the app and on its documents. Each change is seen at once and saved as it is made.

import { frame } from "../../components/frame.js";
import { sign } from "../../components/sign.js";
import { component, div, h2, p, section } from "../../components/tags.js";
import { shopWords } from "../../words/shop.js";
import { editedWorkshop } from "../../state/edited.js";
import { recordText } from "../../components/record-fields.js";
import { savedMark } from "./common/saved-mark.js";
import { AccentFields } from "./sign/accent.js";
import { BackgroundFields } from "./sign/background.js";
import { FontField } from "./sign/font.js";
import { letterhead } from "./sign/letterhead.js";
import { LogoField } from "./sign/logo.js";

/** @typedef {import("../../state/edited.js").Edited<Api.Workshop>} Record */

export function screen() {
  const record = editedWorkshop();
  const text = shopWords.value.sign;
  const look = record.value.value;
  return frame(
    { title: text.title, place: "shop", back: "/shop", actions: savedMark({ record }) },
    look && preview(look),
    p({ class: "quiet-text" }, text.intro),
    look && section({ class: "panel" }, names(record)),
    look && section({ class: "panel" }, component(BackgroundFields, { record })),
    look && section({ class: "panel" }, component(FontField, { record })),
    look && section({ class: "panel" }, component(AccentFields, { record })),
  );
}

/** The sign and the head of the paper, as they will be. @param {Api.Workshop} look */
function preview(look) {
  const text = shopWords.value.sign;
  return section(
    { class: "look-preview", "aria-label": text.preview },
    h2({ class: "spoken" }, text.preview),
    div({ class: "look-sign", inert: true }, sign({ look })),
    letterhead({ look }),
  );
}

/** @param {Record} record */
function names(record) {
  const text = shopWords.value.sign;
  return [
    recordText({
      record,
      name: "name",
      label: text.name,
      maxLength: 250,
      check: (typed) => typed.trim() ? undefined : text.nameMissing,
    }),
    component(LogoField, { record }),
    recordText({ record, name: "tagline", label: text.tagline, maxLength: 250, help: text.taglineHelp }),
    recordText({
      record,
      name: "crafterName",
      label: text.crafterName,
      maxLength: 250,
      help: text.crafterHelp,
      autocomplete: "name",
    }),
  ];
}
