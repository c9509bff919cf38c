// Profile: name and language, saved as they are changed.

import { useAttempt } from "../../../components/attempt.js";
import { choice } from "../../../components/choice.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { b, br, p, section, span } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { words } from "../../../i18n/index.js";
import { updateProfile } from "../../../state/session.js";
import { useState } from "../../../vendor/hooks.js";
import { atField, problemNotice } from "../common/problem-notice.js";

/** @typedef {import("../../../state/session.js").MeProfile} MeProfile */

const LANGUAGES = /** @type {const} */ (["en", "pl"]);

/** @param {{ me: MeProfile }} props */
export function Profile({ me }) {
  const { busy, problem, run } = useAttempt();
  const [typed, setTyped] = useState(me.name);
  const [isSaved, setIsSaved] = useState(false);
  const { account: text, saving } = words.value.shop;
  const save = async (/** @type {{ name?: string, locale?: "en" | "pl" }} */ fields) =>
    setIsSaved(await run(() => updateProfile(fields)));
  const atName = atField(problem, "/name");
  const saved = busy ? saving.saving : isSaved ? saving.saved : "";
  const nameField = {
    label: text.name,
    value: atName ? typed : me.name,
    help: saved || text.nameHelp,
    maxLength: 100,
    autocomplete: "name",
    onInput: setTyped,
    ...(atName ? { problem: atName } : {}),
  };
  return section(
    { class: "panel" },
    textField({ ...nameField, onCommit: (name) => void save({ name }) }),
    p({}, span({ class: "label" }, text.email), br({}), b({ class: "account-email" }, me.email)),
    mailLanguage(me, (locale) => void save({ locale })),
    needsConnection(),
    atName ? null : problemNotice(problem),
  );
}

/** @param {MeProfile} me @param {(locale: "en" | "pl") => void} onChange */
const mailLanguage = ({ locale }, onChange) =>
  choice({
    label: words.value.shop.account.mailLanguage,
    value: locale,
    options: LANGUAGES.map((value) => ({ value, label: words.value.common.languages[value] })),
    onChange,
  });
