// Webhooks: who hears of changes. Only owners see and change them.

import { call } from "../../../api/client.js";
import { actionButton } from "../../../components/action-button.js";
import { emptyState } from "../../../components/empty-state.js";
import { component, div, p } from "../../../components/tags.js";
import { connectionsWords } from "../../../words/connections.js";
import { isOwner, workshopId } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { notYet, useAnswer } from "../common/use-answer.js";
import { connectionFrame } from "./head.js";
import { NewWebhookSheet } from "./webhooks/new-webhook-sheet.js";
import { webhookRow } from "./webhooks/webhook-row.js";
import { WebhookSheet } from "./webhooks/webhook-sheet.js";

export function screen() {
  const text = connectionsWords.value.webhooks;
  return connectionFrame(
    "webhooks",
    p({ class: "quiet-text" }, text.intro),
    isOwner.value ? component(Webhooks, {}) : p({}, text.ownersOnly),
  );
}

function Webhooks() {
  const answered = useAnswer(
    () => call("GET /workshops/{workshopId}/webhooks", { workshopId: workshopId.value }),
    workshopId.value,
  );
  const [isNew, setIsNew] = useState(false);
  const [openId, setOpenId] = useState("");
  const text = connectionsWords.value.webhooks;
  const webhooks = answered.data?.webhooks ?? [];
  const open = webhooks.find(({ id }) => id === openId);
  const reload = () => answered.reload();
  return div(
    { class: "stack" },
    notYet(answered),
    answered.data && webhooks.length === 0 && emptyState({ text: text.empty, picture: "🪝" }),
    webhooks.length > 0 &&
      div(
        { class: "things" },
        ...webhooks.map((webhook) => webhookRow(webhook, () => setOpenId(webhook.id))),
      ),
    actionButton({ label: text.make, icon: "plus", kind: "main", onClick: () => setIsNew(true) }),
    isNew && component(NewWebhookSheet, { onClose: () => setIsNew(false), onMade: reload }),
    open && component(WebhookSheet, { webhook: open, onClose: () => setOpenId(""), onChanged: reload }),
  );
}
