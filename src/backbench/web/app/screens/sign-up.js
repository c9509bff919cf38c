// Sign up: an account by email address; the link that comes by email ends it.

import { actionButton } from "../components/action-button.js";
import { component, h1, p } from "../components/tags.js";
import { startWords } from "../words/start.js";
import { offers } from "../local/offers.js";
import { route } from "../state/router.js";
import { useState } from "../vendor/hooks.js";
import { gate } from "./sign-in/gate.js";
import { Sent } from "./sign-up/sent.js";
import { SignUpForm } from "./sign-up/form.js";

/** In the address: `email`, of somebody who is invited. */
export function screen() {
  const { email = "" } = route.value.query;
  const [state, setState] = useState(/** @type {"form" | "sent" | "closed"} */ ("form"));
  const [address, setAddress] = useState(email);
  const text = startWords.value;
  if (state === "sent") {
    return gate(component(Sent, { email: address, onBack: () => setState("form") }));
  }
  if (state === "closed" || !offers("sign-up")) return gate(...closed(address, () => setState("form")));
  return gate(
    h1({}, email ? text.invited : text.signUpTitle),
    email && p({}, text.invitedHelp),
    component(SignUpForm, {
      email: address,
      onSent: (sentTo) => {
        setAddress(sentTo);
        setState("sent");
      },
      onClosed: (refused) => {
        setAddress(refused);
        setState("closed");
      },
    }),
    actionButton({ label: text.haveAccount, kind: "quiet", href: "/sign-in" }),
  );
}

/** The server takes nobody, or only who is invited. @param {string} email @param {() => void} onBack */
function closed(email, onBack) {
  const text = startWords.value;
  return [
    h1({ tabIndex: -1 }, text.closedTitle),
    p({}, text.closed),
    email && p({ class: "quiet-text" }, email),
    p({ class: "quiet-text" }, text.closedHelp),
    offers("sign-up") && actionButton({ label: text.otherAddress, onClick: onBack }),
    actionButton({ label: text.haveAccount, kind: "quiet", href: "/sign-in" }),
  ];
}
