// An answer of the API that a screen shows, and what to show until it is there.

import { call } from "../../../api/client.js";
import { isOffline, isProblem } from "../../../api/problems.js";
import { actionButton } from "../../../components/action-button.js";
import { needsConnection, useCommand } from "../../../components/command.js";
import { notice } from "../../../components/notice.js";
import { sheet } from "../../../components/sheet.js";
import { component, div, icon, input, label as labelTag, p, span } from "../../../components/tags.js";
import { command } from "../../../state/commands.js";
import { connection } from "../../../state/connection.js";
import { savingOf } from "../../../state/workshops.js";
import { useEffect, useId, useRef, useState } from "../../../vendor/hooks.js";
import { explained, fieldExplained } from "../../../words/problems.js";
import { shopWords } from "../../../words/shop.js";
import { words } from "../../../words/words.js";
import { copied } from "../../send/clipboard.js";

/** @typedef {import("../../../api/problems.js").Problem} Problem */
/**
 * @template T
 * @typedef {{ data: T | null, problem: Problem | null, reload: () => Promise<void>, show: (data: T) => void }} Answered
 */

/**
 * Asks when the screen is opened, and again when the connection is back.
 * @template T @param {(shown: T | null) => Promise<T>} ask with what is shown for the key @param {string} [key] asks again when it changes
 * @returns {Answered<T>}
 */
export function useAnswer(ask, key = "") {
  const [state, set] = useState(
    /** @type {{ data: T | null, problem: Problem | null }} */ ({ data: null, problem: null }),
  );
  const asked = useRef(0);
  const shown = useRef({ key, data: /** @type {T | null} */ (null) });
  /** @param {T} data */
  const show = (data) => {
    // An answer that is still under way is older.
    asked.current += 1;
    shown.current = { key, data };
    set({ data, problem: null });
  };
  const reload = async () => {
    // An answer that another one has overtaken is older.
    const turn = asked.current += 1;
    try {
      const data = await ask(shown.current.key === key ? shown.current.data : null);
      if (turn === asked.current) show(data);
    } catch (error) {
      if (!isProblem(error)) throw error;
      if (turn === asked.current) set((known) => ({ ...known, problem: error }));
    }
  };
  const { online } = connection.value;
  useEffect(() => void reload(), [key, online]);
  return { ...state, reload, show };
}

/** A quiet line, or why there is nothing to show. @param {Answered<any>} answered */
export function notYet({ data, problem, reload }) {
  if (problem && isOffline(problem)) return [needsConnection(), retryButton(reload)];
  if (problem) return notice({ kind: "alarm", text: sentence(problem), action: retryAction(reload) });
  return data === null ? p({ class: "quiet-text late", role: "status" }, words.value.common.loading) : null;
}

/** @param {() => Promise<void>} reload */
const retryAction = (reload) => ({
  label: words.value.common.buttons.retry,
  icon: "refresh-cw",
  onClick: () => void reload(),
});

/** @param {() => Promise<void>} reload */
const retryButton = (reload) => actionButton(retryAction(reload));

/** @param {Problem} problem */
function sentence(problem) {
  const { common } = words.value;
  return isOffline(problem) ? common.connection.needsConnection : explained(problem, common);
}

/** Nothing without a problem. @param {Problem | null} problem @param {string} [text] instead of the usual sentence */
export function problemNotice(problem, text) {
  if (!problem) return null;
  const { common } = words.value;
  const number = problem.status >= 500 && problem.requestId && common.requestNumber(problem.requestId);
  return notice({
    kind: isOffline(problem) ? "warning" : "alarm",
    text: text ?? sentence(problem),
    ...(number ? { detail: number } : {}),
  });
}

/** The sentence at a field, if the server refused it. @param {Problem | null} problem @param {string} pointer */
export function atField(problem, pointer) {
  const found = problem?.errors.find((error) => error.pointer.startsWith(pointer));
  return found && fieldExplained(found, words.value.common);
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

// Issued: something with a secret that is shown once. A sheet for what it is to be, then one with the secret.

/**
 * The draft, then the secret: "" until there is one.
 * @template D
 * @param {() => D} first
 * @param {(draft: D) => Promise<string>} issue returns the secret
 * @param {() => unknown} [onMade]
 */
export function useIssued(first, issue, onMade) {
  const [draft, setDraft] = useState(first);
  const [secret, setSecret] = useState("");
  const { busy, problem, run } = useCommand();
  const make = () =>
    void run(async () => {
      setSecret(await issue(draft));
      await onMade?.();
    });
  const change = (/** @type {Partial<D>} */ fields) => setDraft((known) => ({ ...known, ...fields }));
  return { draft, change, secret, busy, problem, make };
}

/**
 * The sheet of the draft; what is wrong with a field is said there.
 * @param {{ make: string, create: string }} text
 * @param {() => void} onClose
 * @param {Pick<ReturnType<typeof useIssued>, "busy" | "problem" | "make">} issued
 * @param {import("../../../components/tags.js").ComponentChildren[]} fields
 */
export const draftSheet = (text, onClose, { busy, problem, make }, fields) =>
  sheet(
    {
      title: text.make,
      onClose,
      foot: actionButton({ label: text.create, kind: "main", busy, onClick: make }),
      problem: problem?.code === "validation_error" ? null : problemNotice(problem),
    },
    needsConnection(),
    ...fields,
  );

/** The sheet of the secret. @param {string} title @param {() => void} onClose @param {...import("../../../components/tags.js").ComponentChildren} parts */
export const secretSheet = (title, onClose, ...parts) =>
  sheet(
    {
      title,
      onClose,
      foot: actionButton({ label: words.value.common.buttons.done, onClick: onClose }),
    },
    ...parts,
  );

/**
 * Makes it. One whose response was lost is deleted by `deleteLost`, and another one made. Throws Problem.
 * @template T
 * @param {unknown} intent as of `command`
 * @param {(key: string) => Promise<T>} make
 * @param {() => Promise<unknown>} deleteLost
 */
export async function madeOnce(intent, make, deleteLost) {
  return await command(intent, make).catch(async (error) => {
    if (!isProblem(error) || error.code !== "already_created") throw error;
    await deleteLost();
    return await command(intent, make);
  });
}

/** The newest of those that fit. @template {{ createdAt: string }} T @param {readonly T[]} all @param {(each: T) => boolean} fits */
export const newest = (all, fits) =>
  all.filter(fits).sort((one, other) => one.createdAt < other.createdAt ? 1 : -1)[0];

/**
 * Makes the key; one whose response was lost is revoked. Throws Problem.
 * @param {unknown} intent as of `command`
 * @param {Api.NewApiKey} body
 */
export function makeApiKey(intent, body) {
  const revokeLost = async () => {
    const { apiKeys } = await call("GET /me/api-keys");
    const lost = newest(apiKeys, ({ name, revokedAt }) => name === body.name && !revokedAt);
    if (lost) await call("DELETE /me/api-keys/{keyId}", { keyId: lost.id });
  };
  return madeOnce(intent, (key) => call("POST /me/api-keys", {}, { body, key }), revokeLost);
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

/** @typedef {import("../../../domain/kinds.js").Kind} Kind */

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
