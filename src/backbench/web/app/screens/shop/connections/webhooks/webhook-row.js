// Webhook row: its receiver, what it hears of, and whether it is off.

import { actionButton } from "../../../../components/action-button.js";
import { b, div, icon, p } from "../../../../components/tags.js";
import { connectionsWords } from "../../../../words/connections.js";

/** The host of an address: the rest of it may be a secret. @param {string} url */
export function hostOf(url) {
  // `URL.canParse` is not in Safari 16.
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

/** @param {Api.Webhook} webhook @param {() => void} onOpen */
export function webhookRow({ id, url, events, description, enabled }, onOpen) {
  const text = connectionsWords.value.webhooks;
  const heard = events.includes("*") ? text.all : text.kinds(events.length);
  return div(
    { class: "thing", key: id },
    icon(enabled ? "send" : "triangle-alert"),
    div(
      {},
      b({}, description || hostOf(url)),
      p(
        { class: "quiet-text" },
        [description && hostOf(url), heard, !enabled && text.off].filter(Boolean).join(" · "),
      ),
    ),
    actionButton({ label: text.edit, about: description || hostOf(url), kind: "quiet", onClick: onOpen }),
  );
}
