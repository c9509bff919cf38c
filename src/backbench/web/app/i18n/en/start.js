/** Words of the way in: sign-up, password reset, first run, installing. */
export const start = {
  whatDoYouDo: "What do you do?",
  craftHelp: "One tap, and the tiles of your craft are laid out. Prices come as you charge them.",
  whichJob: "What comes up most?",
  jobHelp: "These tiles come first. The rest of the catalog stays one tap away.",
  allOf: "All of them",
  yourSign: "What’s your workshop called?",
  yourSignHelp: "It’s on the sign above and on every estimate.",
  later: "Later, look around first",
  needsCatalog: "The crafts come once there is a connection.",
  noWorkshop: "You have no workshop",
  noWorkshopHelp:
    "Make one of your own. If somebody has invited you, open the link in their email on this device.",
  workshopName: "Name of the workshop",
  makeWorkshop: "Make the workshop",
  /** @param {string} name */
  left: (name) => `You no longer belong to ${name}.`,
  signUpTitle: "Create an account",
  name: "Your name",
  nameHelp: "Estimates are signed with it. It can be changed.",
  emailWrong: "This is not an email address.",
  terms: "I accept the terms of this service",
  readTerms: "read them",
  privacy: "How your data is handled",
  termsMissing: "Without this there is no account.",
  signUp: "Create the account",
  haveAccount: "I have an account",
  look: "Check your inbox",
  /** @param {string} email */
  verifySent: (email) =>
    `A link is on its way to ${email}. Open it within 24 hours and choose your password there.`,
  notThere:
    "Nothing there? Check your spam folder. If the address has an account already, the email says so.",
  sendAgain: "Send it again",
  sentAgain: "Sent again.",
  otherAddress: "Another address",
  closedTitle: "By invitation",
  closed:
    "To sign up here, this address needs an invitation. Ask the owner of the workshop to invite it, then open the link in that email.",
  closedHelp: "Or run Backbench yourself: it is free software.",
  invited: "You are invited",
  invitedHelp:
    "Create an account for the address that was invited, then open the link in that email once more.",
  forgotTitle: "A new password",
  forgotHelp: "A link to choose a new password goes to your address.",
  sendLink: "Send the link",
  /** @param {string} email */
  resetSent: (email) =>
    `If there is an account for ${email}, a link is on its way to it. It works once, for an hour.`,
  backToSignIn: "Back to sign in",
  install: "Put Backbench on the home screen",
  installHelp: "It opens like any app, and works without a connection.",
  installButton: "Install",
  installIos: "In Safari: tap Share, then “Add to Home Screen”.",
  notNow: "Not now",
  insecureHelp: "The host can set up https. Everything else works.",
};
