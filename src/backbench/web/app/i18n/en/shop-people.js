export const messages = {
  title: "Messages",
  intro: "Write down how you work. Message drafts use it.",
  notes: "About the workshop",
  notesHelp: "What you make, for whom, lead times, what you do not do.",
  /** @param {string} used @param {string} most */
  counter: (used, most) => `${used} of ${most} characters`,
  tooLong: "Too long to be saved. Shorten it.",
  sumUp: "Sum up",
  sumUpAgain: "Sum up again",
  sumUpHelp: "A language model makes a summary of it, in both languages.",
  summary: "Summary",
  intents: "What clients may want",
  stale: "The notes have changed since this summary.",
  /** @param {string} when */
  made: (when) => `Made ${when}`,
};

export const team = {
  title: "Team",
  you: "you",
  change: "Change",
  role: "Role",
  roleHelp: {
    owner: "May do everything, also the team and deletion.",
    member: "May do all the work: orders, estimates, tiles, documents.",
  },
  remove: "Remove from the team",
  /** @param {string} name */
  removed: (name) => `${name} is no longer in the team`,
  leave: "Leave this workshop",
  leaveTitle: "Leave?",
  /** @param {string} name */
  leaveText: (name) => `You will no longer see ${name}. To come back, you need an invitation.`,
  invitations: "Invited",
  invite: "Invite somebody",
  inviteEmail: "Email address",
  makeInvitation: "Make the invitation",
  /** @param {string} email */
  invitedByHand: (email) => `${email} is invited. Pass the link on: it works once, for 7 days.`,
  /** @param {string} workshop @param {string} url */
  passOn: (workshop, url) => `Join ${workshop} on Backbench: ${url}`,
  shareInvitation: "Share the link",
  copyInvitation: "Copy the link",
  invitationCode: "QR code of the invitation",
  codeHelp: "Or let the phone of the new colleague scan it.",
  linkOf: "Link",
  /** @param {string} email */
  linkFor: (email) => `Invitation of ${email}`,
  withdraw: "Withdraw",
  ownersOnly: "Owners of the workshop can invite people.",
  alone: "So far you work here on your own.",
};

export const plan = {
  title: "Plan",
  present: "Your plan",
  /** @param {string} when */
  trialUntil: (when) => `Trial until ${when}`,
  /** @param {string} when */
  paidUntil: (when) => `Paid until ${when}`,
  /** @param {string} when */
  endsOn: (when) => `Ends on ${when}`,
  granted: "Granted by the host",
  storage: "Storage",
  /** @param {string} used @param {string} limit */
  used: (used, limit) => `${used} of ${limit}`,
  revisions: "Revisions of an estimate",
  unlimited: "unlimited",
  /** @param {number} count */
  upTo: (count) => `up to ${count}`,
  brandMark: "“Made with Backbench” on PDFs",
  brandStays: "always there",
  brandMayGo: "can be left out",
  trial: "Try Pro for 14 days",
  trialHelp: "5 GB of storage, unlimited revisions, PDFs without our mark. The trial ends by itself.",
  buy: "Buy Pro",
  portal: "Billing",
  notSold: "Pro is not for sale on this server. Ask its host.",
  noPayments: "Payments are not set up on this server. Ask its host for Pro.",
  ownersOnly: "Owners of the workshop can change the plan.",
};

export const files = {
  title: "Files",
  empty: "No files yet. PDFs and photos of tiles will be here.",
  kinds: { estimate_pdf: "PDF", grid_tile_icon: "Picture" },
  open: "Open",
  /** @param {string} name */
  deleted: (name) => `${name} deleted`,
  /** @param {string} names */
  usedBy: (names) => `Tiles use this picture: ${names}. Give them another one first.`,
  toPlan: "Storage and plan",
};
