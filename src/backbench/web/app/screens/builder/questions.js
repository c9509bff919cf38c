// Questions: what the client asked about the estimate, answered from where it is edited.

import { isProblem } from "../../api/problems.js";
import { isOnline } from "../../components/command.js";
import { sheet } from "../../components/sheet.js";
import { sendWords } from "../../words/send.js";
import { followShared, loadShared, shared } from "../../state/links.js";
import { wasConfirmed } from "../../state/summaries.js";
import { useEffect } from "../../vendor/hooks.js";
import { talk } from "../send/comments.js";

/** Loads the questions of an estimate that was confirmed: before, nobody can have asked. @param {string} id */
export function useQuestions(id) {
  useQuestionsOf(id, wasConfirmed(id));
}

/** Loads them, and again with each event, once that is wanted. @param {string} id @param {boolean} isWanted */
export function useQuestionsOf(id, isWanted) {
  const online = isOnline();
  useEffect(() => {
    if (!isWanted || !online) return;
    followShared(id);
    loadShared(id).catch((error) => {
      // The lines can be edited without the questions.
      if (!isProblem(error)) throw error;
    });
  }, [id, isWanted, online]);
}

/** How many there are, and whether the last word is the client's. @param {string} id */
export function questionsOf(id) {
  const found = [...shared(id).value?.comments ?? []].sort((one, other) =>
    one.createdAt < other.createdAt ? -1 : 1
  );
  return { count: found.length, isOpen: found.at(-1)?.author === "client" };
}

/** @param {{ id: string, onClose: () => void }} props */
export function Questions({ id, onClose }) {
  return sheet({ title: sendWords.value.questions, onClose }, talk({ sending: { id }, isMain: true }));
}
