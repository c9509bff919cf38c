// Devices: every session of the account; this one is marked, the others can be ended.

import { notYet, useAnswer } from "../../components/answer.js";
import { problemNotice, rowOf, rowsOf, settingsFrame } from "./kit.js";
import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { browserOf, isPhone } from "../../domain/browsers.js";
import { ago, shortDate } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { shopWords } from "../../words/shop.js";

export function screen() {
  const answered = useAnswer(() => call("GET /me/sessions"));
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.devices;
  const sessions = [...answered.data?.sessions ?? []].sort((one, other) =>
    Number(other.current) - Number(one.current)
  );
  const others = sessions.filter(({ current }) => !current);
  const end = (/** @type {Api.SessionResponse[]} */ ended) =>
    void run(async () => {
      await Promise.all(ended.map(({ id }) => call("DELETE /me/sessions/{sessionId}", { sessionId: id })));
      await answered.reload();
    });
  return settingsFrame(
    text,
    notYet(answered),
    rowsOf(sessions.map((session) => row(session, () => end([session])))),
    problemNotice(problem),
    others.length > 1 &&
      actionButton({
        label: text.endOthers,
        icon: "log-out",
        kind: "danger",
        isFinal: true,
        busy,
        onClick: () => end(others),
      }),
  );
}

/** @param {Api.SessionResponse} session @param {() => void} onEnd */
function row(session, onEnd) {
  const text = shopWords.value.devices;
  const language = wordsLanguage.value;
  const name = nameOf(session.userAgent);
  const seen = session.current ? text.current : text.lastSeen(ago(session.lastSeenAt, Date.now(), language));
  const facts = [`${seen} · ${text.since(shortDate(session.createdAt, language))}`];
  const end = !session.current &&
    actionButton({ label: text.end, about: name, kind: "quiet", onClick: onEnd });
  return rowOf({ icon: iconOf(session.userAgent), isPresent: session.current }, name, facts, end);
}

/** @param {string} userAgent */
export const iconOf = (userAgent) => isPhone(userAgent) ? "smartphone" : "monitor";

/** A device as people know it. @param {string} userAgent */
export function nameOf(userAgent) {
  const text = shopWords.value.devices;
  const { browser, system } = browserOf(userAgent);
  return !browser ? text.unknown : system ? text.on(browser, system) : browser;
}
