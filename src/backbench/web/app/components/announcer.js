// Announcer: the one live region for what appears on a screen. It is there before its text, or readers would not hear it.

import { useEffect } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { component, div } from "./tags.js";

const said = signal("");

export const announcer = () => component(Announcer, {});

function Announcer() {
  return div({ class: "spoken", role: "status" }, said.value);
}

/** Says the text once it is shown, and again when it changes. @param {unknown} text */
export function useAnnounced(text) {
  useEffect(() => {
    if (typeof text !== "string" || !text) return;
    said.value = text;
    return () => {
      if (said.peek() === text) said.value = "";
    };
  }, [text]);
}
