// Replay sheet: sends again what happened since a moment.

import { call } from "../../../../api/client.js";
import { actionButton } from "../../../../components/action-button.js";
import { useCommand } from "../../../../components/command.js";
import { needsConnection } from "../../../../components/needs-connection.js";
import { sheet } from "../../../../components/sheet.js";
import { textField } from "../../../../components/text-field.js";
import { connectionsWords } from "../../../../words/connections.js";
import { command } from "../../../../state/commands.js";
import { useState } from "../../../../vendor/hooks.js";
import { problemNotice } from "../../common/problem-notice.js";

const DAY = 86_400_000;

/** @param {{ webhook: Api.Webhook, onClose: () => void, onDone: () => Promise<void> }} props */
export function ReplaySheet({ webhook: { id, enabled }, onClose, onDone }) {
  const [since, setSince] = useState(() => localTime(Date.now() - (enabled ? 1 : 5) * DAY));
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.webhooks;
  const at = new Date(since);
  const send = () =>
    command(
      ["replay", id, since],
      (key) =>
        call("POST /webhooks/{webhookId}/replay", { webhookId: id }, {
          body: { since: at.toISOString() },
          key,
        }),
    );
  const start = () => void run(() => send().then(onDone)).then((done) => done && onClose());
  const foot = actionButton({
    label: text.replayNow,
    kind: "main",
    busy,
    disabled: Number.isNaN(at.getTime()),
    onClick: start,
  });
  return sheet(
    { title: text.replay, onClose, foot, problem: problemNotice(problem) },
    needsConnection(),
    textField({
      label: text.replaySince,
      type: "datetime-local",
      value: since,
      help: text.replayHelp,
      onInput: setSince,
    }),
  );
}

/** As such a field has it. @param {number} moment milliseconds */
function localTime(moment) {
  const shift = new Date(moment).getTimezoneOffset() * 60_000;
  return new Date(moment - shift).toISOString().slice(0, 16);
}
