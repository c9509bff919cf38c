// Discard: asked twice, because what is discarded cannot be taken back.

import { words } from "../words/words.js";
import { useState } from "../vendor/hooks.js";
import { actionButton } from "./action-button.js";

/** @param {{ about: string, onDiscard: () => void }} props */
export function Discard({ about, onDiscard }) {
  const [isSure, setSure] = useState(false);
  const { buttons } = words.value.common;
  return actionButton({
    label: isSure ? buttons.dropNow : buttons.drop,
    about,
    kind: isSure ? "danger" : "quiet",
    isFinal: isSure,
    onClick: () => isSure ? onDiscard() : setSure(true),
  });
}
