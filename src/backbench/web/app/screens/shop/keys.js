// API keys: what programs may do for the account. The secret of a new key is shown once.

import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { emptyState } from "../../components/empty-state.js";
import { frame } from "../../components/frame.js";
import { component, div, h2, p, section } from "../../components/tags.js";
import { shopWords } from "../../words/shop.js";
import { useState } from "../../vendor/hooks.js";
import { notYet, useAnswer } from "./common/use-answer.js";
import { KeyRow } from "./keys/key-row.js";
import { NewKeySheet } from "./keys/new-key-sheet.js";

/** @typedef {Api.ApiKey["scopes"][number]} Scope */

export function screen() {
  const answered = useAnswer(() => call("GET /me/api-keys"));
  const [open, setOpen] = useState(false);
  const text = shopWords.value.keys;
  const keys = answered.data?.apiKeys ?? [];
  const valid = keys.filter(({ revokedAt }) => !revokedAt);
  const revoked = keys.filter(({ revokedAt }) => revokedAt);
  return frame(
    { title: text.title, place: "shop", back: "/shop" },
    p({ class: "quiet-text" }, text.intro),
    notYet(answered),
    answered.data && valid.length === 0 && emptyState({ text: text.empty, picture: "🔑" }),
    list(valid),
    actionButton({ label: text.make, icon: "plus", kind: "main", onClick: () => setOpen(true) }),
    revoked.length > 0 && section({ class: "stack" }, h2({}, text.revokedKeys), list(revoked)),
    open && component(NewKeySheet, { onClose: () => setOpen(false), onMade: () => void answered.reload() }),
  );
}

/** @param {Api.ApiKey[]} keys */
const list = (keys) =>
  keys.length > 0 &&
  div({ class: "things" }, ...keys.map((apiKey) => component(KeyRow, { apiKey, key: apiKey.id })));
