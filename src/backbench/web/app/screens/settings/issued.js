// Issued: what has a secret that is shown once, and drafts: their fields, their sheets, the list of what there is.

import { labelOf } from "../../components/bound-fields.js";
import { choice, toggle } from "../../components/controls.js";
import { emptyState } from "../../components/notice.js";
import { textField } from "../../components/text-field.js";
import { workshopId } from "../../state/workshops.js";
import { component, div, h2, input, label as labelTag, p, section } from "../../components/tags.js";
import { isProblem } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { sheet } from "../../components/sheet.js";
import { newId } from "../../domain/ids.js";
import { command } from "../../state/commands.js";
import { useId, useState } from "../../vendor/hooks.js";
import { words } from "../../words/words.js";
import { copied } from "../send/clipboard.js";
import { notYet, useAnswer } from "../../components/answer.js";
import { atField, problemNotice, rowOf, rowsOf, useConfirmed } from "./kit.js";

/** @typedef {import("../../api/problems.js").Problem} Problem */
/** @typedef {import("../../components/tags.js").ComponentChildren} Children */

/**
 * Fields of a draft, each by its name in the draft, which is the one in the body of the request. Their labels are in `text`:
 * `name` or `nameLabel`, and `nameHelp`.
 * @template D
 * @param {D} draft @param {(fields: Partial<D>) => void} change @param {Problem | null} problem @param {Readonly<Record<string, any>>} text
 */
function draftFields(draft, change, problem, text) {
  const set = (/** @type {keyof D & string} */ name, /** @type {unknown} */ value) =>
    change(/** @type {Partial<D>} */ ({ [name]: value }));
  const look = (/** @type {keyof D & string} */ name) => {
    const found = atField(problem, `/${name}`);
    return {
      ...labelOf(text, name),
      value: /** @type {any} */ (draft[name]),
      ...(found ? { problem: found } : {}),
    };
  };
  return {
    /** @param {keyof D & string} name @param {Partial<import("../../components/text-field.js").TextField>} [more] */
    text: (name, more = {}) => textField({ ...look(name), onInput: (typed) => set(name, typed), ...more }),
    /** @param {keyof D & string} name @param {Readonly<Record<string, string>>} options labels by value */
    choice: (name, options) =>
      choice({
        ...look(name),
        options: Object.entries(options).map(([value, label]) => ({ value, label })),
        onChange: (value) => set(name, value),
      }),
    /** @param {keyof D & string} name */
    toggle: (name) => toggle({ ...look(name), onChange: (on) => set(name, on) }),
  };
}

/**
 * The sheet of a draft; what is wrong with a field is said there.
 * @template D
 * @param {{ title: string, done: string, icon?: string, text: Readonly<Record<string, any>>, first: D, fields: (field: ReturnType<typeof draftFields<D>>, draft: D, change: (fields: Partial<D>) => void, problem: Problem | null) => Children[], save: (draft: D, go: import("../../components/command.js").Go) => Promise<unknown>, onClose: () => void }} props
 */
export const draftSheet = (props) => component(DraftSheet, /** @type {any} */ (props));

/** @param {Parameters<typeof draftSheet<any>>[0]} props */
const DraftSheet = (props) => sheetOf(props, useDraft(props.first));

/** The state of a draft, for `sheetOf`. @param {any} first */
export function useDraft(first) {
  const [draft, setDraft] = useState(first);
  const change = (/** @type {object} */ fields) =>
    setDraft((/** @type {object} */ known) => ({ ...known, ...fields }));
  return { draft, change, ...useCommand() };
}

/** A sheet that shows something else afterwards keeps its draft itself. @param {Omit<Parameters<typeof draftSheet<any>>[0], "first">} props @param {ReturnType<typeof useDraft>} state */
export const sheetOf = (
  { title, done, icon, text, fields, save, onClose },
  { draft, change, busy, problem, run },
) =>
  sheet(
    {
      title,
      onClose,
      foot: actionButton({
        label: done,
        ...(icon ? { icon } : {}),
        kind: "main",
        busy,
        onClick: () => void run((go) => save(draft, go)),
      }),
      problem: problem?.code === "validation_error" ? null : problemNotice(problem),
    },
    needsConnection(),
    ...fields(draftFields(draft, change, problem, text), draft, change, problem),
  );

/**
 * Something whose secret is in one response alone: made with `create`; one whose response was lost is removed first.
 * @template D, B, M
 * @template {{ id: string, createdAt: string }} T
 * @typedef {object} Issued
 * @property {string} intent what it is, as of `command`
 * @property {() => { make: string, create: string, secretTitle: string, empty?: string, revoke?: string }} text
 * @property {() => D} first the draft
 * @property {(field: ReturnType<typeof draftFields<D>>, draft: D, change: (fields: Partial<D>) => void, problem: Problem | null) => Children[]} fields
 * @property {(draft: D) => B} [body] the draft, if there is none
 * @property {(body: B, key: string) => Promise<M>} create
 * @property {() => Promise<T[]>} all
 * @property {(item: T, body: B) => boolean} isAlike whether it can be one whose response was lost
 * @property {(id: string) => Promise<unknown>} remove
 * @property {(made: M) => Children[]} shown once
 * @property {string} [picture] of the empty list
 * @property {(item: T) => { icon: string, name: string, facts: Parameters<typeof rowOf>[2], more?: Children, isOver?: boolean, opened?: (onClose: () => void, onChanged: () => Promise<void>) => Children }} row `isOver`: below the others, it cannot be removed; `opened`: a sheet for everything instead
 */

/** The sheet of its draft, then the one with its secret. @template D, B, M @template {{ id: string, createdAt: string }} T @param {Issued<D, B, M, T>} issued @param {() => void} onClose @param {() => unknown} [onMade] */
export const issueSheet = (issued, onClose, onMade) =>
  component(IssueSheet, { issued: /** @type {Issued<any, any, any, any>} */ (issued), onClose, onMade });

/** @param {{ issued: Issued<any, any, any, any>, onClose: () => void, onMade: (() => unknown) | undefined }} props */
function IssueSheet({ issued, onClose, onMade }) {
  const [made, setMade] = useState(/** @type {unknown} */ (null));
  const state = useDraft(issued.first);
  const { make: title, create: done, secretTitle } = issued.text();
  if (made) return secretSheet(secretTitle, onClose, ...issued.shown(made));
  const save = async (/** @type {unknown} */ draft) => {
    setMade(await issue(issued, issued.body?.(draft) ?? draft));
    await onMade?.();
  };
  return sheetOf({ title, done, text: issued.text(), fields: issued.fields, save, onClose }, state);
}

/** Makes it. Throws Problem. @template D, B, M @template {{ id: string, createdAt: string }} T @param {Issued<D, B, M, T>} issued @param {B} body @returns {Promise<M>} */
export function issue(issued, body) {
  const removeLost = async () => {
    const alike = (await issued.all()).filter((item) => issued.isAlike(item, body));
    const [lost] = alike.sort((one, other) => one.createdAt < other.createdAt ? 1 : -1);
    if (lost) await issued.remove(lost.id);
  };
  const intent = [issued.intent, workshopId.value, body];
  return madeOnce(intent, (key) => issued.create(body, key), removeLost);
}

/** The sheet of a secret. @param {string} title @param {() => void} onClose @param {...Children} parts */
export const secretSheet = (title, onClose, ...parts) =>
  sheet(
    { title, onClose, foot: actionButton({ label: words.value.common.buttons.done, onClick: onClose }) },
    ...parts,
  );

/**
 * Makes it. One whose response was lost is removed by `removeLost`, and another one made. Throws Problem.
 * @template T
 * @param {unknown} intent as of `command`
 * @param {(key: string) => Promise<T>} make
 * @param {() => Promise<unknown>} removeLost
 */
export async function madeOnce(intent, make, removeLost) {
  // With the key until all of it is done: a repetition finds the one that got lost again.
  return await command(intent, (key) =>
    make(key).catch(async (error) => {
      if (!isProblem(error) || error.code !== "already_created") throw error;
      await removeLost();
      return await make(newId());
    }));
}

/** What was issued, or why it is not there, and a button for one more. @template D, B, M @template {{ id: string, createdAt: string }} T @param {Issued<D, B, M, T>} issued */
export const issuedList = (issued) =>
  component(IssuedList, { issued: /** @type {Issued<any, any, any, any>} */ (issued) });

/** @param {{ issued: Issued<any, any, any, any> }} props */
function IssuedList({ issued }) {
  const answered = useAnswer(issued.all, workshopId.value);
  const [isOpen, setOpen] = useState(false);
  const { make, empty = "", revokedKeys } = /** @type {Record<string, string>} */ (issued.text());
  const all = (answered.data ?? []).map((item) => ({ item, ...issued.row(item) }));
  const rows = (/** @type {typeof all} */ found) =>
    rowsOf(
      found.map((row) => component(IssuedRow, { issued, row, onRemoved: answered.reload, key: row.item.id })),
    );
  const over = all.filter(({ isOver }) => isOver);
  return div(
    { class: "stack" },
    notYet(answered),
    answered.data && over.length === all.length && emptyState({ text: empty, picture: issued.picture ?? "" }),
    rows(all.filter(({ isOver }) => !isOver)),
    actionButton({ label: make ?? "", icon: "plus", kind: "main", onClick: () => setOpen(true) }),
    over.length > 0 && section({ class: "stack" }, h2({}, revokedKeys), rows(over)),
    isOpen && issueSheet(issued, () => setOpen(false), answered.reload),
  );
}

/** @param {{ issued: Issued<any, any, any, any>, row: ReturnType<Issued<any, any, any, any>["row"]> & { item: { id: string } }, onRemoved: () => Promise<void>, key?: string }} props */
function IssuedRow({ issued, row, onRemoved }) {
  const [isOpen, setOpen] = useState(false);
  const { revoke = "", edit = "" } = /** @type {Record<string, string>} */ (issued.text());
  const remove = () => issued.remove(row.item.id).then(onRemoved);
  const { button } = useConfirmed({ label: revoke, about: row.name, work: remove });
  const open = row.opened &&
    actionButton({ label: edit, about: row.name, kind: "quiet", onClick: () => setOpen(true) });
  const sheet = isOpen && row.opened?.(() => setOpen(false), onRemoved);
  return rowOf(row.icon, row.name, row.facts, open || (!row.isOver && button), row.more, sheet);
}

/** @param {{ label: string, secret: string, note: string }} props */
export const secretField = (props) => component(SecretField, props);

/** @param {Parameters<typeof secretField>[0]} props */
function SecretField({ label, secret, note }) {
  const id = useId();
  const [isCopied, setIsCopied] = useState(false);
  const { buttons } = words.value.common;
  const copy = async () => {
    await copied(secret);
    setIsCopied(true);
  };
  return div(
    { class: "panel secret" },
    p({ role: "status" }, note),
    div(
      { class: "field" },
      labelTag({ for: id }, label),
      input({
        id,
        class: "input figures",
        value: secret,
        readOnly: true,
        onFocus: (event) => event.currentTarget.select(),
      }),
    ),
    actionButton({
      label: isCopied ? buttons.copied : buttons.copy,
      icon: isCopied ? "check" : "copy",
      kind: "main",
      onClick: () => void copy(),
    }),
  );
}
