export const calendars = {
  intro:
    "The calendar on your phone or computer subscribes to an address and shows your days. It only reads.",
  refresh:
    "How soon a change is seen is up to the calendar: Apple and Outlook look every few hours, Google once or twice a day.",
  empty: "No calendar yet.",
  make: "New calendar",
  name: "What is it called?",
  nameUsual: "Workshop",
  show: "It shows",
  shows: { due: "Due days", estimates: "When estimates expire", both: "Due days and estimates" },
  names: "Names of customers",
  namesOf: { full: "In full", initials: "Initials", none: "None" },
  namesHelp: "Anybody who has the address sees them, without signing in.",
  create: "Make the calendar",
  addressTitle: "Address of the calendar",
  address: "Address",
  addressOnce: "Copy it now, or open it on this device. It is shown this once and cannot be shown again.",
  subscribe: "Add to this device’s calendar",
  revoke: "Revoke",
  /** @param {string} name */
  by: (name) => `By ${name}`,
};
