// Bound fields: of an object that is saved while it is edited. A field is named once: its label, its value, its help, what the
// server refused and what somebody else changed at the same time follow.

import { errorWords } from "../words/errors.js";
import { conflictOf, fieldProblem, keepMine, takeTheirs } from "../state/conflicts.js";
import { shown, typed } from "../domain/numbers.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../vendor/hooks.js";
import { fieldExplained } from "../words/problems.js";
import { words, wordsLanguage } from "../words/words.js";
import { actionButton } from "./action-button.js";
import { chips, choice, fold, selectField, toggle } from "./controls.js";
import { valueText } from "./field-values.js";
import { button, component, div, h2, p, span } from "./tags.js";
import { textField } from "./text-field.js";

/** @typedef {Partial<import("./text-field.js").TextField>} More */
/** @typedef {import("../domain/numbers.js").Bounds} Bounds */
/**
 * `part` is that of its changes, for conflicts. `save` gets the changed fields.
 * @typedef {{ kind: import("../domain/kinds.js").Kind, id: string, part?: string, value: { readonly value: any }, save: (fields: any) => void }} Bound
 */
/**
 * `empty` is what an empty text is saved as, null if it is left out; `check` refuses a text before it is saved; `show` is a value
 * of a conflict as text.
 * @typedef {{ empty?: string, check?: (text: string) => string | undefined, of?: string, show?: (value: any) => string }} OfText
 */

/**
 * The fields of an object, whose labels are in `text` by their names: `name` or `nameLabel`, and `nameHelp`.
 * @param {Bound} bound @param {Readonly<Record<string, any>>} text
 */
export function boundFields(bound, text) {
  const { save } = bound;
  const now = bound.value.value ?? {};
  const look = (/** @type {string} */ name) => labelOf(text, name);
  const whole = (
    /** @type {string} */ name,
    /** @type {any} */ field,
    /** @type {OfField["show"]} */ show = undefined,
  ) => component(Whole, { bound, name, show, label: look(name).label, field });
  /** @param {typeof choice | typeof selectField} field */
  const oneOf = (field) =>
  /** `usual` is shown for no value, and saved as none. @param {string} name @param {Readonly<Record<string, string>> | { value: string, label: string }[]} options @param {string} [usual] */
  (name, options, usual) => {
    const all = Array.isArray(options)
      ? options
      : Object.entries(options).map(([value, label]) => ({ value, label }));
    const onChange = (/** @type {string} */ value) => save({ [name]: value === usual ? null : value });
    const show = (/** @type {string} */ value) => all.find((one) => one.value === value)?.label ?? value;
    return whole(
      name,
      field({ ...look(name), value: now[name] ?? usual ?? "", options: all, onChange }),
      show,
    );
  };
  return {
    text: (/** @type {string} */ name, /** @type {More & OfText} */ more = {}) =>
      component(BoundText, {
        bound,
        name,
        show: more.show,
        of: more.of,
        label: look(name).label,
        more: { ...look(name), ...more },
      }),
    /** `whole` refuses decimals. @param {string} name @param {Bounds} bounds @param {Partial<NumberField> & { show?: (value: any) => string }} [more] */
    number: (name, bounds, { show, ...more } = {}) =>
      whole(
        name,
        numberField({
          value: now[name],
          bounds,
          onValue: (value) => save({ [name]: value }),
          refused: problemAt(bound, name),
          ...look(name),
          ...more,
        }),
        show,
      ),
    choice: oneOf(/** @type {typeof selectField} */ (choice)),
    select: oneOf(selectField),
    toggle: (/** @type {string} */ name, usual = false) =>
      whole(
        name,
        toggle({ ...look(name), value: now[name] ?? usual, onChange: (on) => save({ [name]: on }) }),
      ),
  };
}

/** How a field says what it is of. @typedef {{ bound: Bound, name: string, label: string, of?: string | undefined, show?: ((value: any) => string) | undefined }} OfField `of`: the field in whose row it is shown */

/** @param {OfField & { field: any }} props */
function Whole({ bound, name, show, field }) {
  return div({ class: "stack" }, field, conflict(bound, name, show));
}

/** Fields that are text until they are tapped; those without a value stand behind *Add*. @param {any[]} fields of `boundFields`, or what is left out @param {boolean} [hasHeading] whether the first is the heading */
export const facts = (fields, hasHeading = false) =>
  component(Facts, { fields: fields.filter(Boolean), hasHeading });

/** @param {{ fields: { props: OfField }[], hasHeading: boolean }} props */
function Facts({ fields, hasHeading }) {
  const [open, setOpen] = useState(/** @type {readonly string[]} */ ([]));
  const opened = useRef("");
  const list = useRef(/** @type {HTMLDivElement | null} */ (null));
  const { add } = words.value.common.buttons;
  const show = (/** @type {string} */ name) => {
    opened.current = name;
    setOpen([...open, name]);
  };
  useLayoutEffect(() => {
    const field = list.current?.querySelector(`[data-fact="${opened.current}"] :is(input, select, textarea)`);
    if (opened.current && field instanceof HTMLElement) field.focus();
    opened.current = "";
  }, [open]);
  const isOpen = (/** @type {OfField} */ { bound, name, of = name }) =>
    open.includes(name) || open.includes(of) || problemAt(bound, name) ||
    conflictOf(bound.id, name, bound.part);
  const empty = fields.filter(({ props }) => !props.of && !isOpen(props) && !saidOf(props));
  return div(
    { class: "facts", ref: list },
    ...fields.map((field, at) => {
      const { props } = field;
      if (isOpen(props)) return div({ "data-fact": props.name }, field);
      const row = !props.of && saidOf(props) && factRow(props, () => show(props.name));
      return row && hasHeading && at === 0 ? h2({}, row) : row;
    }),
    empty.length > 0 && fold(
      add,
      chips({
        label: add,
        chips: empty.map(({ props }) => ({ value: props.name, label: props.label })),
        onTap: show,
      }),
    ),
  );
}

/** The value as text; "" where there is none. @param {OfField} props */
function saidOf({ bound, name, show }) {
  const value = bound.value.value?.[name];
  const said = valueText(bound, name, value);
  return said && show ? show(value) : said;
}

/** @param {OfField} props @param {() => void} onClick */
function factRow(props, onClick) {
  return button(
    { class: "fact-row", type: "button", "data-fact": props.name, onClick },
    span({ class: "fact-label" }, props.label),
    span({ class: "fact-value" }, saidOf(props)),
  );
}

/** The label and the help of a field, by its name. @param {Readonly<Record<string, any>>} text @param {string} name */
export function labelOf(text, name) {
  const help = text[`${name}Help`];
  return { label: text[`${name}Label`] ?? text[name], ...(typeof help === "string" ? { help } : {}) };
}

/** @param {OfField & { more: any }} props */
function BoundText({ bound, name, more: { empty = null, check, show, of: _, ...more } }) {
  // Of this object: the screen may show another one next.
  const [wrong, setWrong] = useState({ id: "", text: /** @type {string | undefined} */ (undefined) });
  const value = bound.value.value?.[name] ?? "";
  const mark = useUnreadable();
  const commit = (/** @type {string} */ text) => {
    const found = check?.(text);
    mark(Boolean(found));
    setWrong({ id: bound.id, text: found });
    const next = text.trim() || empty;
    // Spaces around it change nothing.
    if (!found && next !== (value || empty)) bound.save({ [name]: next });
  };
  const problem = (wrong.id === bound.id ? wrong.text : undefined) ?? problemAt(bound, name);
  return div(
    { class: "stack" },
    textField({
      // A text in two languages is that of the settings, written in by an older version.
      value: typeof value === "string" ? value : "",
      autocomplete: "off",
      onCommit: commit,
      ...(problem ? { problem } : {}),
      ...more,
    }),
    conflict(bound, name, show),
  );
}

/** What the server refused in a field, in words. @param {Pick<Bound, "kind" | "id">} bound @param {string} name @param {string} [pointer] of a part of the field */
export function problemAt({ kind, id }, name, pointer) {
  const problem = fieldProblem(kind, id, name, pointer);
  return problem && fieldExplained(problem);
}

/** Both values, if somebody else changed the field at the same time. @param {Pick<Bound, "id" | "part">} bound @param {string} name @param {(value: any) => string} [show] */
export const conflict = ({ id, part }, name, show) =>
  conflictChoice({ objectId: id, field: name, ...(part ? { part } : {}), ...(show ? { show } : {}) });

/** `name` says which field it is, where the choice does not stand at it. @typedef {{ objectId: string, field: string, part?: string, show?: (value: any) => string, name?: string }} ConflictChoice */

/** Two people changed one field: both values, two buttons. Nothing, unless there is a conflict. @param {ConflictChoice} props */
export const conflictChoice = (props) => component(Choice, props);

/** @param {ConflictChoice} props */
function Choice({ objectId, field, part, show, name }) {
  const found = conflictOf(objectId, field, part);
  if (!found) return null;
  const { conflict: text } = errorWords.value;
  const value = (/** @type {unknown} */ one) => {
    const said = valueText(found.item, field, one);
    return said && show ? show(one) : said || text.empty;
  };
  return div(
    { class: "conflict", role: "alert" },
    p({}, name ? `${text.title}: ${name}` : text.title),
    div(
      { class: "row" },
      actionButton({ label: text.mine(value(found.mine)), onClick: () => keepMine(found) }),
      actionButton({
        label: text.theirs(text.somebody, value(found.theirs)),
        onClick: () => takeTheirs(found),
      }),
    ),
  );
}

/**
 * A number typed with a keyboard, with comma or point; refused while it is typed. `onValue` gets null for an empty field. `whole`
 * refuses decimals.
 * @typedef {{ label: string, value: number | undefined, bounds: Bounds, onValue: (value: number | null) => void, help?: string, whole?: boolean, refused?: string | undefined }} NumberField
 */

/** Of each text and number on the screen that is not saved as it was typed. @type {Set<object>} */
const unreadable = new Set();

/** Marks a field as one that cannot be read, for as long as it is shown. */
export function useUnreadable() {
  const own = useRef({}).current;
  useEffect(() => () => void unreadable.delete(own), []);
  return (/** @type {boolean} */ is) => void (is ? unreadable.add(own) : unreadable.delete(own));
}

/** Whether a field of the form cannot be read: it gets the focus. What would go on without it must not. */
export function hasUnreadable() {
  const form = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const field = unreadable.size ? form.querySelector('[aria-invalid="true"]') : null;
  if (field instanceof HTMLElement) field.focus();
  return field !== null;
}

/** @param {NumberField} props */
export const numberField = (props) => component(Field, props);

/** @param {NumberField} props */
function Field({ label, value, bounds, onValue, help, whole = false, refused }) {
  const [wrong, setWrong] = useState("");
  const mark = useUnreadable();
  const check = (/** @type {string} */ text) => {
    const found = typed(text, bounds, wordsLanguage.value);
    const isFraction = whole && found.value !== null && !/^\d+$/.test(found.value);
    const code = found.problem === "missing" ? "" : found.problem ?? "";
    mark(isFraction || code !== "");
    setWrong(isFraction ? errorWords.value.wholeNumber : code && fieldExplained({ pointer: "", code }));
    return { ...found, isFraction };
  };
  const problem = wrong || refused;
  return textField({
    label,
    value: value === undefined || value === null ? "" : shown(value, wordsLanguage.value),
    inputMode: "decimal",
    autocomplete: "off",
    ...(help ? { help } : {}),
    ...(problem ? { problem } : {}),
    onInput: check,
    onCommit: (text) => {
      const found = check(text);
      if (found.problem === "missing") onValue(null);
      else if (found.value !== null && !found.isFraction) onValue(Number(found.value));
    },
  });
}
