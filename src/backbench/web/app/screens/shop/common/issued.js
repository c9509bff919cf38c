// Issued: something with a secret that is shown once. A sheet for what it is to be, then one with the secret.

import { actionButton } from "../../../components/action-button.js";
import { useCommand } from "../../../components/command.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { sheet } from "../../../components/sheet.js";
import { words } from "../../../words/words.js";
import { useState } from "../../../vendor/hooks.js";
import { problemNotice } from "./problem-notice.js";

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
