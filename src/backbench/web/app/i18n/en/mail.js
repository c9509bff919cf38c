/** Words of emails that the server sends. */
export const mail = {
  look: "Check your inbox",
  /** @param {string} email */
  verifySent: (email) =>
    `A link is on its way to ${email}. Open it within 24 hours and choose your password there.`,
  notThere:
    "Nothing there? Check your spam folder. If the address has an account already, the email says so.",
  sendAgain: "Send it again",
  sentAgain: "It is on its way again.",
  forgotHelp: "A link to choose a new password goes to your address.",
  sendLink: "Send the link",
  /** @param {string} email */
  resetSent: (email) =>
    `If there is an account for ${email}, a link is on its way to it. It works once, for an hour.`,
  noPassword: "You sign in with Google. To get a password, ask for a link by email.",
  askForLink: "Send me a link",
  linkSent: "The link is on its way to you by email.",
  sendInvitation: "Send invitation",
  /** @param {string} email */
  invited: (email) => `An invitation is on its way to ${email}.`,
  orByHand: "You can also pass the link on yourself, if the email does not arrive.",
  mailLink: "Email the link",
  mailNow: "Send the email",
  mailHelp: "Backbench sends it in the client’s language. The receipt goes there as well.",
  /** @param {string} address */
  mailed: (address) => `The link is on its way to ${address}.`,
  /** @param {number} count */
  mailsLeft: (count) =>
    `Emails with links that you can send for now: ${count}. Copying and sharing have no limit.`,
};
