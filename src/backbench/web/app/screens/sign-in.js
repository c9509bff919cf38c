// Sign in: email address and password, and the ways to an account.

import { component, div, h1, main, p } from "../components/tags.js";
import { words } from "../words/words.js";
import { LanguageChoice, otherWays, signInForm } from "./sign-in/form.js";
import { actionButton } from "../components/action-button.js";
import { go, route } from "../state/router.js";
import { sealed } from "../state/signed-in.js";
import { offers } from "../local/system.js";
import { notice } from "../components/notice.js";

export function screen() {
  const text = words.value.account;
  return main(
    { class: "gate" },
    div(
      { class: "gate-panel" },
      p({ class: "gate-name" }, "Backbench"),
      h1({}, text.signInTitle),
      ...Object.values(sealed.value).map(({ name, waiting }) => {
        const { otherAccount, otherUnread } = words.value.common.connection;
        return notice({ kind: "warning", text: (waiting === null ? otherUnread : otherAccount)(name) });
      }),
      signInForm({ onDone: () => route.value.name === "sign-in" && go("/", { replace: true }) }),
      div(
        { class: "stack" },
        ...otherWays(),
        offers("sign-up") && actionButton({ label: text.createAccount, href: "/sign-up" }),
      ),
    ),
    component(LanguageChoice, {}),
  );
}
