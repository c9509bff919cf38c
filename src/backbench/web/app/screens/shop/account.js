// Account: the person, how they sign in, and the end of the account.

import { frame } from "../../components/frame.js";
import { component, h2, p, section } from "../../components/tags.js";
import { session } from "../../state/session.js";
import { DeleteAccount } from "./account/delete-account.js";
import { GoogleLink } from "./account/google-link.js";
import { PasswordPart } from "./account/password.js";
import { Profile } from "./account/profile.js";
import { words } from "../../words/words.js";
import { shopWords } from "../../words/shop.js";

export function screen() {
  const text = shopWords.value.account;
  const me = session.value.me;
  return frame(
    { title: text.title, place: "shop", back: "/shop" },
    me === null && p({ class: "quiet-text late" }, words.value.common.loading),
    me && component(Profile, { me }),
    me && section({ class: "stack" }, h2({}, text.password), component(PasswordPart, { me })),
    me?.signInMethods.includes("google") &&
      section({ class: "stack" }, h2({}, text.google), component(GoogleLink, {})),
    me && section({ class: "stack" }, h2({}, text.remove), component(DeleteAccount, {})),
  );
}
