// Webhook sheet: what was sent, and everything that can be done with a webhook.

import { call } from "../../../../api/client.js";
import { actionButton } from "../../../../components/action-button.js";
import { useCommand } from "../../../../components/command.js";
import { needsConnection } from "../../../../components/needs-connection.js";
import { notice } from "../../../../components/notice.js";
import { sheet } from "../../../../components/sheet.js";
import { component, div, p } from "../../../../components/tags.js";
import { connectionsWords } from "../../../../words/connections.js";
import { command } from "../../../../state/commands.js";
import { useState } from "../../../../vendor/hooks.js";
import { useConfirmed } from "../../common/confirmed.js";
import { madeOnce } from "../../common/made-once.js";
import { draftSheet } from "../../common/issued.js";
import { problemNotice } from "../../common/problem-notice.js";
import { Deliveries } from "./deliveries.js";
import { ReplaySheet } from "./replay-sheet.js";
import { webhookSecret } from "./webhook-secret.js";
import { bodyOf, webhookFields } from "./webhook-fields.js";
import { hostOf } from "./webhook-row.js";

/** @typedef {{ webhook: Api.Webhook, onClose: () => void, onChanged: () => Promise<void> }} Props */

/** @param {Props} props */
export function WebhookSheet({ webhook, onClose, onChanged }) {
  const [shown, setShown] = useState(/** @type {"" | "edit" | "replay"} */ (""));
  const [secret, setSecret] = useState("");
  const leave = () => setShown("");
  if (secret) return webhookSecret(secret, connectionsWords.value.webhooks.rotatedOnce, () => setSecret(""));
  if (shown === "edit") return component(EditSheet, { webhook, onClose: leave, onChanged });
  if (shown === "replay") return component(ReplaySheet, { webhook, onClose: leave, onDone: onChanged });
  return sheet(
    { title: webhook.description || hostOf(webhook.url), onClose },
    p({ class: "quiet-text" }, webhook.url),
    needsConnection(),
    component(Switch, { webhook, onChanged, onReplay: () => setShown("replay") }),
    component(Sent, { webhook }),
    div(
      { class: "stack" },
      webhook.enabled &&
        actionButton({
          label: connectionsWords.value.webhooks.replay,
          icon: "history",
          onClick: () => setShown("replay"),
        }),
      actionButton({
        label: connectionsWords.value.webhooks.edit,
        icon: "pencil",
        onClick: () => setShown("edit"),
      }),
    ),
    component(Ends, { webhook, onRotated: setSecret, onDeleted: () => void onChanged().then(onClose) }),
  );
}

/** Off: why, and the two ways on. On: nothing but the switch. @param {{ webhook: Api.Webhook, onChanged: () => Promise<void>, onReplay: () => void }} props */
function Switch({ webhook: { id, enabled, disabledReason = "owner" }, onChanged, onReplay }) {
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.webhooks;
  const enable = (/** @type {boolean} */ on) => () =>
    void run(() =>
      call("PATCH /webhooks/{webhookId}", { webhookId: id }, { body: { enabled: on } }).then(onChanged)
    );
  if (enabled) {
    return [
      actionButton({ label: text.disable, icon: "x", busy, onClick: enable(false) }),
      problemNotice(problem),
    ];
  }
  return div(
    { class: "stack" },
    notice({ kind: "warning", text: text.disabled[disabledReason] }),
    actionButton({ label: text.enableAgain, kind: "main", onClick: onReplay }),
    actionButton({ label: text.enable, busy, onClick: enable(true) }),
    problemNotice(problem),
  );
}

/** What was sent, and a test. @param {{ webhook: Api.Webhook }} props */
function Sent({ webhook: { id, enabled } }) {
  const [tests, setTests] = useState(0);
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.webhooks;
  const send = () =>
    command(["test", id], (key) => call("POST /webhooks/{webhookId}/test", { webhookId: id }, { key })).then(
      () => setTests(tests + 1),
    );
  return div(
    { class: "stack" },
    enabled && actionButton({ label: text.test, icon: "send", busy, onClick: () => void run(send) }),
    problemNotice(problem),
    component(Deliveries, { webhookId: id, tests }),
  );
}

/** What cannot be taken back. @param {{ webhook: Api.Webhook, onRotated: (secret: string) => void, onDeleted: () => void }} props */
function Ends({ webhook: { id, url }, onRotated, onDeleted }) {
  const text = connectionsWords.value.webhooks;
  const rotate = () =>
    madeOnce(
      ["rotate", id],
      (key) => call("POST /webhooks/{webhookId}/rotate", { webhookId: id }, { key }),
      async () => {},
    );
  const rotation = useConfirmed({
    label: text.rotate,
    about: hostOf(url),
    icon: "key-round",
    work: () => rotate().then(({ secret }) => onRotated(secret)),
  });
  const removal = useConfirmed({
    label: text.remove,
    about: hostOf(url),
    icon: "trash-2",
    work: () => call("DELETE /webhooks/{webhookId}", { webhookId: id }).then(onDeleted),
  });
  return div({ class: "row" }, rotation.button, removal.button);
}

/** @param {Props} props */
function EditSheet({ webhook, onClose, onChanged }) {
  const [draft, setDraft] = useState({ ...webhook, description: webhook.description ?? "" });
  const { busy, problem, run } = useCommand();
  const text = connectionsWords.value.webhooks;
  const save = () =>
    void run(() =>
      call("PATCH /webhooks/{webhookId}", { webhookId: webhook.id }, { body: bodyOf(draft) }).then(onChanged)
    ).then((done) => done && onClose());
  const change = (/** @type {Partial<typeof draft>} */ changed) =>
    setDraft((known) => ({ ...known, ...changed }));
  const edit = { make: text.edit, create: text.save };
  return draftSheet(edit, onClose, { busy, problem, make: save }, webhookFields(draft, change, problem));
}
