// Text field: keeps a draft while it is edited, so that nothing from outside overwrites it.

import { fields } from "../state/typed.js";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "../vendor/hooks.js";
import { component, div, input, label as labelTag, p, textarea } from "./tags.js";

/**
 * `onCommit` gets the text 600 ms after the last key, and when the field is left. `onInput` gets it at each key.
 * @typedef {{ label: string, value: string, onCommit?: (value: string) => void, onInput?: (value: string) => void,
 *   help?: string, problem?: string, multiline?: boolean, type?: "text" | "email" | "password" | "search" | "tel" | "time" | "url" | "date" | "datetime-local", autocomplete?: string, inputMode?: any,
 *   maxLength?: number | undefined, required?: boolean, autofocus?: boolean, name?: string, list?: string, bare?: boolean,
 *   enterKeyHint?: any, placeholder?: string }} TextField `bare` leaves the label to screen readers
 */

const PAUSE = 600;
const SEARCH_PAUSE = 300;

/** Asks the server for a text 300 ms after its last key. @param {string} text @param {(text: string) => unknown} ask */
export function useSearched(text, ask) {
  useEffect(() => {
    const timer = setTimeout(ask, SEARCH_PAUSE, text);
    return () => clearTimeout(timer);
  }, [text]);
}

/** @param {TextField} props */
export const textField = (props) => component(Field, props);

/** @param {TextField} props */
function Field(props) {
  const id = useId();
  const { draft, events } = useDraft(props);
  const field = useRef(/** @type {any} */ (null));
  // Before the paint: the next key may have been pressed already.
  useLayoutEffect(() => {
    if (props.autofocus) field.current?.focus();
  }, []);
  const described = [props.help && `${id}-help`, props.problem && `${id}-problem`].filter(Boolean).join(" ");
  const attributes = {
    id,
    class: "input",
    ref: field,
    value: draft ?? props.value,
    "aria-describedby": described || undefined,
    "aria-invalid": props.problem ? /** @type {const} */ ("true") : undefined,
    ...passed(props),
    ...events,
  };
  return div(
    { class: "field" },
    labelTag({ for: id, class: props.bare ? "spoken" : undefined }, props.label),
    props.multiline
      ? textarea(attributes)
      : input(/** @type {any} */ ({ ...attributes, type: props.type ?? "text" })),
    props.help && p({ class: "field-help", id: `${id}-help` }, props.help),
    props.problem && p({ class: "field-problem", id: `${id}-problem`, role: "alert" }, props.problem),
  );
}

/** @param {TextField} props */
function passed({ autocomplete, inputMode, maxLength, required, name, list, enterKeyHint, placeholder }) {
  return { autocomplete, inputMode, maxLength, required, name, list, enterKeyHint, placeholder };
}

/** The text while it is edited, or null. @param {TextField} props */
function useDraft({ value, problem, onCommit, onInput }) {
  const [draft, setDraft] = useState(/** @type {string | null} */ (null));
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  const latest = useRef({ draft, value, onCommit });
  latest.current = { draft, value, onCommit };
  const commit = () => {
    clearTimeout(timer.current);
    const { draft: text, value: known, onCommit: save } = latest.current;
    if (text !== null && text !== known) save?.(text);
  };
  useLeaving(commit);
  const focus = useCorrected(problem, () => setDraft(null));
  const events = {
    onInput: (/** @type {any} */ event) => {
      const text = event.currentTarget.value;
      latest.current.draft = text;
      setDraft(text);
      onInput?.(text);
      clearTimeout(timer.current);
      timer.current = setTimeout(commit, PAUSE);
    },
    onFocus: () => focus(true),
    onBlur: () => {
      commit();
      focus(false);
    },
  };
  return { draft, events };
}

/** A field that was left shows the stored value; what was refused stays with the reason, until it is corrected. @param {string | undefined} problem @param {() => void} follow */
function useCorrected(problem, follow) {
  const isFocused = useRef(false);
  const check = () => {
    if (!problem && !isFocused.current) follow();
  };
  useLayoutEffect(check, [problem]);
  return (/** @type {boolean} */ on) => {
    isFocused.current = on;
    check();
  };
}

/** A screen that is left commits what was typed; so does a page that is hidden, which iOS may end, and a command. @param {() => void} commit */
function useLeaving(commit) {
  useLayoutEffect(() => {
    // Before the outbox hears of it, which sends what waits.
    addEventListener("visibilitychange", commit, true);
    fields.add(commit);
    return () => {
      removeEventListener("visibilitychange", commit, true);
      fields.delete(commit);
      commit();
    };
  }, []);
}
