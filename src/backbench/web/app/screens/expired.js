// Expired: the session has ended. The sign-in rises over the screen; nothing behind it moves or is lost.

import { actionButton } from "../components/action-button.js";
import { sheet } from "../components/sheet.js";
import { p } from "../components/tags.js";
import { words } from "../i18n/index.js";
import { offers } from "../local/offers.js";
import { session } from "../state/session.js";
import { signInForm } from "./sign-in/form.js";

/** The sheet. */
export function part() {
  const text = words.value.account;
  return sheet(
    { title: text.expiredTitle, onClose: () => {}, fixed: true },
    p({}, text.expired),
    signInForm({ email: session.value.me?.email ?? "" }),
    offers("google") && actionButton({ label: text.google, href: "/api/auth/google" }),
    actionButton({ label: text.forgotPassword, kind: "quiet", href: "/forgot-password" }),
  );
}
