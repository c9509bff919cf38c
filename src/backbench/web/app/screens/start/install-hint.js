// Install hint: once something was sent, how the app comes to the home screen; without https why it cannot.

import { actionButton } from "../../components/action-button.js";
import { div, p } from "../../components/tags.js";
import { words } from "../../words/words.js";
import { startWords } from "../../words/start.js";
import { isInstalled, isIos } from "../../local/system.js";
import { installPrompt } from "../../state/start.js";
import { notesRead } from "../../state/preferences.js";
import { summaries } from "../../state/summaries.js";

/** The hint, or nothing. */
export function part() {
  const hasSent = summaries.value.some(({ lastHandoff }) => lastHandoff);
  const text = startWords.value;
  if (!globalThis.isSecureContext) {
    return note("insecure", words.value.common.connection.insecure, text.insecureHelp, null);
  }
  if (!hasSent || isInstalled()) return null;
  if (installPrompt.value) {
    return note("install", text.install, text.installHelp, {
      label: text.installButton,
      onClick: () => void install(),
    });
  }
  return isIos() ? note("install", text.install, text.installIos, null) : null;
}

/**
 * Shown until somebody closes it.
 * @param {string} name @param {string} sentence @param {string} help
 * @param {import("../../components/action-button.js").ActionButton | null} action
 */
function note(name, sentence, help, action) {
  if (notesRead.value.includes(name)) return null;
  const label = action ? startWords.value.notNow : words.value.common.buttons.ok;
  return div(
    { class: "notice" },
    p({}, sentence),
    p({ class: "quiet-text" }, help),
    div(
      { class: "row" },
      action && actionButton({ icon: "smartphone", ...action }),
      actionButton({
        label,
        kind: "quiet",
        about: sentence,
        onClick: () => (notesRead.value = [...notesRead.value, name]),
      }),
    ),
  );
}

/** Asks the browser to install the app. */
async function install() {
  const offered = installPrompt.value;
  installPrompt.value = null;
  await offered?.prompt();
}
