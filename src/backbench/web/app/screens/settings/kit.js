// What the screens of settings are made of: lists and their rows, drafts and what is shown once, and what is asked once more before it is done.

import { errorWords } from "../../words/errors.js";
import { frame } from "../../components/frame.js";
import { notice } from "../../components/notice.js";
import { savingOf } from "../../state/edits.js";
import { a, b, component, div, icon, p, span } from "../../components/tags.js";
import { isOffline } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { toggle } from "../../components/controls.js";
import { sheet } from "../../components/sheet.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { explained, fieldExplained } from "../../words/problems.js";
import { connectionsWords } from "../../words/connections.js";
import { shopWords } from "../../words/shop.js";
import { words } from "../../words/words.js";

/** @typedef {import("../../api/problems.js").Problem} Problem */
/** @typedef {import("../../components/tags.js").ComponentChildren} Children */
/** @param {Problem} problem */
function sentence(problem) {
  const { common } = words.value;
  return isOffline(problem) ? common.connection.needsConnection : explained(problem);
}

/** Nothing without a problem. @param {Problem | null} problem @param {string} [text] instead of the usual sentence */
export function problemNotice(problem, text) {
  if (!problem) return null;
  const number = problem.status >= 500 && problem.requestId &&
    errorWords.value.requestNumber(problem.requestId);
  return notice({
    kind: isOffline(problem) ? "warning" : "alarm",
    text: text ?? sentence(problem),
    ...(number ? { detail: number } : {}),
  });
}

/** Books are kept for years: what has issued invoices is deleted once somebody says that there is a copy. */
export function useInvoices() {
  const [isCopied, setCopied] = useState(false);
  return {
    /** Of the deletion. */
    params: isCopied ? /** @type {const} */ ({ withInvoices: "true" }) : {},
    /** Asked once the server has refused it. @param {Problem | null} problem */
    ask: (problem) =>
      (isCopied || problem?.code === "has_invoices") &&
      toggle({ label: shopWords.value.overview.withInvoices, value: isCopied, onChange: setCopied }),
  };
}

/** The sentence at a field, if the server refused it. @param {Problem | null} problem @param {string} pointer */
export function atField(problem, pointer) {
  const found = problem?.errors.find((error) => error.pointer.startsWith(pointer));
  return found && fieldExplained(found);
}

/**
 * `about` names what it is done to; `explain` says some problems better than the usual sentence.
 * @typedef {{ label: string, about: string, icon?: string, iconOnly?: boolean, work: () => Promise<unknown>,
 *   explain?: (problem: Problem | null) => string | undefined }} Confirmed
 */

/** The button with its question, and whether it was done. @param {Confirmed} props */
export function useConfirmed({ label, about, work, explain, ...look }) {
  const [asks, setAsks] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const { busy, problem, run } = useCommand();
  const confirm = async () => {
    const done = await run(work);
    setIsDone(done);
    if (done) setAsks(false);
  };
  const now = actionButton({
    label,
    about,
    kind: "danger",
    isFinal: true,
    busy,
    onClick: () => void confirm(),
  });
  const question = asks &&
    sheet(
      {
        title: about,
        onClose: () => setAsks(false),
        foot: now,
        problem: problemNotice(problem, explain?.(problem)),
      },
      needsConnection(),
    );
  const first = actionButton({ label, about, kind: "quiet", ...look, onClick: () => setAsks(true) });
  return { isDone, button: div({}, first, question) };
}

/** A sentence that explains. @param {Children} text */
export const quiet = (text) => p({ class: "quiet-text" }, text);

/** The screen of a setting: its title, what it is for, and the way back. @param {{ title: string, intro?: string }} text @param {...Children} children */
export const settingsFrame = ({ title, intro }, ...children) =>
  frame({ title, place: "shop", back: "/shop" }, intro && p({ class: "quiet-text" }, intro), ...children);

/** The screen of a connection: what leaves the server, and to whom. @param {keyof typeof connectionsWords.value.parts} name @param {...Children} children */
export function connectionFrame(name, ...children) {
  const [title = "", , leaves] = connectionsWords.value.parts[name];
  return frame({ title, place: "shop", back: "/shop/connections" }, ...children, quiet(leaves));
}

/** Rows; nothing without any. @param {Children[]} rows */
export const rowsOf = (rows) => rows.length > 0 && div({ class: "things" }, ...rows);

/**
 * A row: its icon, or what stands for it; its name, which may lead somewhere; its facts without those that are missing; and what
 * can be done.
 * @param {string | { icon: string, isPresent: boolean } | { picture: Children }} glyph
 * @param {string | { name: string, link: object }} name
 * @param {Children[]} facts
 * @param {...Children} more
 */
export function rowOf(glyph, name, facts, ...more) {
  const isPresent = typeof glyph === "object" && "isPresent" in glyph && glyph.isPresent;
  const picture = typeof glyph === "string"
    ? icon(glyph)
    : "icon" in glyph
    ? icon(glyph.icon)
    : glyph.picture;
  const lines = facts.map((fact) =>
    typeof fact === "string" && fact ? p({ class: "quiet-text" }, fact) : fact
  );
  const about = typeof name === "string"
    ? div({}, b({}, name), ...lines)
    : a({ class: "thing-link", ...name.link }, b({}, name.name), ...lines);
  return div({ class: isPresent ? "thing present" : "thing" }, picture, about, ...more);
}

/** @typedef {import("../../domain/kinds.js").Kind} Kind */

/** Whether all is saved, beside the title. @param {{ record: { kind: Kind, id: string } }} props */
export const savedMark = (props) => component(SavedMark, props);

/** @param {Parameters<typeof savedMark>[0]} props */
function SavedMark({ record: { kind, id } }) {
  const [wasSaving, setWasSaving] = useState(false);
  const state = savingOf(kind, id);
  useEffect(() => {
    if (state !== "saved") setWasSaving(true);
  }, [state]);
  const { saving } = shopWords.value;
  const said =
    { saving: saving.saving, waiting: saving.notSaved, saved: wasSaving ? saving.saved : "" }[state];
  return span(
    { class: "saved-mark quiet-text", role: "status" },
    said === saving.saved && icon("check"),
    said,
  );
}

/** A button that opens a sheet. @param {Parameters<typeof actionButton>[0]} look @param {(onClose: () => void) => Children} opened */
export const opener = (look, opened) => component(Opener, { look, opened });

/** @param {{ look: Parameters<typeof actionButton>[0], opened: (onClose: () => void) => Children }} props */
function Opener({ look, opened }) {
  const [isOpen, setOpen] = useState(false);
  return div(
    { class: "stack" },
    actionButton({ ...look, onClick: () => setOpen(true) }),
    isOpen && opened(() => setOpen(false)),
  );
}
