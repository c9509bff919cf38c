// Devices: every session of the account; this one is marked, the others can be ended.

import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { frame } from "../../components/frame.js";
import { b, component, div, icon, p } from "../../components/tags.js";
import { browserOf, isPhone } from "../../domain/browsers.js";
import { ago, shortDate } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { shopWords } from "../../words/shop.js";
import { notYet, problemNotice, useAnswer } from "./common/use-answer.js";

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
  return frame(
    { title: text.title, place: "shop", back: "/shop" },
    p({ class: "quiet-text" }, text.intro),
    notYet(answered),
    list(sessions, (session) => end([session])),
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

/** @param {Api.SessionResponse[]} sessions @param {(session: Api.SessionResponse) => void} end */
const list = (sessions, end) =>
  sessions.length > 0 && div(
    { class: "things" },
    ...sessions.map((session) =>
      component(SessionRow, { session, key: session.id, onEnd: () => end(session) })
    ),
  );

/** @param {{ session: Api.SessionResponse, onEnd: () => void, key?: string }} props */
function SessionRow({ session, onEnd }) {
  const text = shopWords.value.devices;
  const language = wordsLanguage.value;
  const { browser, system } = browserOf(session.userAgent);
  const name = !browser ? text.unknown : system ? text.on(browser, system) : browser;
  const seen = session.current ? text.current : text.lastSeen(ago(session.lastSeenAt, Date.now(), language));
  return div(
    { class: session.current ? "thing present" : "thing" },
    icon(isPhone(session.userAgent) ? "smartphone" : "monitor"),
    div(
      {},
      b({}, name),
      p({ class: "quiet-text" }, `${seen} · ${text.since(shortDate(session.createdAt, language))}`),
    ),
    !session.current && actionButton({ label: text.end, about: name, kind: "quiet", onClick: onEnd }),
  );
}
