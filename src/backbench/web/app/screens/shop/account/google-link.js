// Google link: the other way to sign in, and its end.

import { unlinkGoogle } from "../../../api/accounts.js";
import { actionButton } from "../../../components/action-button.js";
import { useAttempt } from "../../../components/attempt.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { p, section } from "../../../components/tags.js";
import { words } from "../../../i18n/index.js";
import { language } from "../../../state/preferences.js";
import { updateProfile } from "../../../state/session.js";
import { problemNotice } from "../common/problem-notice.js";

export function GoogleLink() {
  const { busy, problem, run } = useAttempt();
  const text = words.value.shop.account;
  const unlink = () =>
    void run(async () => {
      await unlinkGoogle();
      // Its answer says how the account can sign in now.
      await updateProfile({ locale: language.value });
    });
  return section(
    { class: "panel" },
    p({}, text.googleLinked),
    needsConnection(),
    problemNotice(problem),
    actionButton({ label: text.unlink, busy, onClick: unlink }),
  );
}
