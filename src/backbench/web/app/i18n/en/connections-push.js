export const push = {
  intro: "A message on this device when a client answers. You choose what for; everything else stays quiet.",
  turnOn: "Turn on on this device",
  turnOff: "Turn off",
  isOn: "On, on this device",
  isOff: "Off, on this device",
  /** @param {string} service */
  through: (service) => `through ${service}`,
  test: "Send a test message",
  tested: "Sent. It arrives within a few seconds.",
  atOnce: "At once",
  morning: "Every morning at eight, in one message",
  details: "Say who and what",
  detailsHelp:
    "“Jan Kowalski: Oak table” instead of the workshop’s name. Anybody who sees the locked screen reads it.",
  others: "Other devices",
  cannot: {
    insecure: "Messages need a server with https.",
    install:
      "On an iPhone or iPad, messages come only to an app on the home screen: tap Share, then “Add to Home Screen”, and open Backbench from there.",
    none: "This browser cannot show messages.",
    denied:
      "This browser was told not to show messages from here. Allow them in its settings for this page, then come back.",
  },
  refused: "Nothing was turned on.",
  unreachable: "The browser’s push service cannot be reached. Some browsers have none.",
  /** @param {string} name */
  hint: (name) =>
    name
      ? `Shall this device tell you when ${name} answers?`
      : "Shall this device tell you when the client answers?",
  hintYes: "Choose",
};
