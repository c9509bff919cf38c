// Controls: one of a few, all of them seen at once; one of many; on or off; words to tap on.

import { useId } from "../vendor/hooks.js";
import { words } from "../words/words.js";
import {
  button,
  component,
  details,
  div,
  fieldset,
  icon,
  input,
  label as labelTag,
  legend,
  option,
  p,
  select,
  span,
  summary,
} from "./tags.js";

/**
 * @template {string} T
 * @typedef {{ label: string, options: readonly { value: T, label: string }[], value: T, onChange: (value: T) => void,
 *   bare?: boolean }} Choice `bare` leaves the label to screen readers
 */

/** @template {string} T @param {Choice<T>} props */
export const choice = (props) => component(ChoiceOf, /** @type {any} */ (props));

/** @param {Choice<string>} props */
function ChoiceOf({ label, options, value, onChange, bare = false }) {
  const name = useId();
  return fieldset(
    { class: "choice" },
    legend({ class: bare ? "spoken" : "label" }, label),
    div(
      { class: "choice-options" },
      ...options.map((option) =>
        labelTag(
          { class: "choice-option" },
          input({
            type: "radio",
            name,
            value: option.value,
            checked: option.value === value,
            onChange: () => onChange(option.value),
          }),
          span({}, option.label),
        )
      ),
    ),
  );
}

/** @typedef {{ label: string, options: readonly { value: string, label: string }[], value: string, onChange: (value: string) => void, help?: string, bare?: boolean }} SelectField `bare` leaves the label to screen readers */

/** @param {SelectField} props */
export const selectField = (props) => component(Field, props);

/** @param {SelectField} props */
function Field({ label, options, value, onChange, help, bare = false }) {
  const id = useId();
  return div(
    { class: "field" },
    labelTag({ for: id, class: bare ? "spoken" : undefined }, label),
    select(
      { id, class: "input", value, onChange: (event) => onChange(event.currentTarget.value) },
      ...options.map((each) => option({ value: each.value, selected: each.value === value }, each.label)),
    ),
    help && p({ class: "field-help" }, help),
  );
}

/** @param {{ label: string, help?: string, value: boolean, onChange: (value: boolean) => void, disabled?: boolean }} props */
export function toggle({ label, help, value, onChange, disabled = false }) {
  return labelTag(
    { class: "toggle" },
    span({}, label, help && span({ class: "quiet-text", style: { display: "block" } }, help)),
    input({
      type: "checkbox",
      role: "switch",
      checked: value,
      disabled,
      onChange: (event) => onChange(event.currentTarget.checked),
    }),
  );
}

/** What is rarely wanted, one tap away. @param {any} title @param {any} content @param {(isOpen: boolean) => void} [onToggle] */
export const fold = (title, content, onToggle) =>
  details(
    { class: "more", onToggle: (event) => onToggle?.(event.currentTarget.open) },
    summary({}, span({}, title), icon("chevron-down")),
    div({ class: "stack" }, content),
  );

/**
 * @param {{ label: string, chips: readonly { value: string, label: string, pressed?: boolean }[], onTap: (value: string) => void }} props
 */
export function chips({ label, chips: all, onTap }) {
  if (!all.length) return null;
  return div(
    { class: "chips", role: "group", "aria-label": label },
    ...all.map(({ value, label: name, pressed = false }) =>
      button(
        { key: value, class: "chip", type: "button", "aria-pressed": pressed, onClick: () => onTap(value) },
        name,
      )
    ),
  );
}

/** @typedef {"en" | "pl"} Language */

export const LANGUAGES = /** @type {const} */ (["en", "pl"]);

/** @param {Omit<Choice<Language>, "options">} props */
export function languageChoice(props) {
  const { languages } = words.value.common;
  return choice({ ...props, options: LANGUAGES.map((value) => ({ value, label: languages[value] })) });
}
