// Google link: the other way to sign in, and its end.

import { call } from "../../../api/client.js";
import { actionButton } from "../../../components/action-button.js";
import { useCommand } from "../../../components/command.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { p, section } from "../../../components/tags.js";
import { shopWords } from "../../../words/shop.js";
import { ME } from "../../../domain/kinds.js";
import { open } from "../../../state/records.js";
import { problemNotice } from "../common/problem-notice.js";

export function GoogleLink() {
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.account;
  const unlink = () =>
    void run(async () => {
      await call("DELETE /me/sign-in-methods/google");
      await open("profile", ME);
    });
  return section(
    { class: "panel" },
    p({}, text.googleLinked),
    needsConnection(),
    problemNotice(problem),
    actionButton({ label: text.unlink, busy, onClick: unlink }),
  );
}
