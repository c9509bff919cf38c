// Row of an API key: its name, what it may do, and when it was used.

import { call } from "../../../api/client.js";
import { b, div, icon, p } from "../../../components/tags.js";
import { ago, shortDate } from "../../../domain/format.js";
import { words, wordsLanguage } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { workshops } from "../../../state/workshops.js";
import { useConfirmed } from "../common/confirmed.js";
import { scopeSummary } from "./scopes.js";

/** @param {{ apiKey: Api.ApiKey, key?: string }} props */
export function KeyRow({ apiKey }) {
  const { id, name, scopes, revokedAt } = apiKey;
  const text = shopWords.value.keys;
  const { isDone, button } = useConfirmed({
    label: text.revoke,
    about: name,
    work: () => call("DELETE /me/api-keys/{keyId}", { keyId: id }),
  });
  if (isDone) return null;
  return div(
    { class: "thing" },
    icon("key-round"),
    div(
      {},
      b({}, name),
      p({ class: "quiet-text" }, `${apiKey.prefix}… · ${usage(apiKey)}`),
      !revokedAt && p({ class: "quiet-text" }, workshopOf(apiKey)),
    ),
    !revokedAt && button,
    !revokedAt && scopeSummary(scopes),
  );
}

/** @param {Api.ApiKey} key */
function usage({ lastUsedAt, expiresAt, revokedAt }) {
  const text = shopWords.value.keys;
  const language = wordsLanguage.value;
  const used = lastUsedAt ? text.used(ago(lastUsedAt, Date.now(), language)) : text.unused;
  if (revokedAt) return words.value.common.dates.since(shortDate(revokedAt, language));
  if (!expiresAt) return used;
  const isOver = Date.parse(expiresAt) < Date.now();
  return `${used} · ${isOver ? text.expired : text.expires(shortDate(expiresAt, language))}`;
}

/** @param {Api.ApiKey} key */
function workshopOf({ workshopId }) {
  const text = shopWords.value.keys;
  if (!workshopId) return text.everyWorkshop;
  return workshops.value.find(({ id }) => id === workshopId)?.name ?? "";
}
