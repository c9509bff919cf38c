export const agents = {
  intro:
    "An agent is a language model that works for you, such as Claude, or one on your own computer. It reads and drafts with the tools of this server, by the Model Context Protocol (MCP).",
  sees: "What it can do",
  reads: "Read: orders with names and phone numbers, estimates with prices, tiles, and what waits for you.",
  customers: "If you allow it: customers, with their addresses and notes.",
  drafts: "If you allow it: make orders, and write drafts of estimates.",
  never:
    "Never: confirm, send, make links, take payments, delete, change the team. Its key opens none of that.",
  address: "Address for the agent",
  addressNote: "The program is set up with this address and a key.",
  make: "New key for an agent",
  name: "Which agent?",
  nameUsual: "Agent",
  may: "It may",
  mays: { read: "Read", draft: "Read and draft" },
  withCustomers: "Also customers",
  withCustomersHelp: "Addresses, phone numbers, notes",
  keyMore:
    "It adds orders, changes their details, and drafts estimates. It cannot confirm, send or sign anything, also not with requests of its own.",
  create: "Make the key",
  secretTitle: "Key for the agent",
  secret: "Key",
  secretOnce: "Copy it now: it is shown this once. It is valid for a year.",
  command: "Command for Claude Code",
  commandNote: "With the key in it: for a terminal of your own.",
  keys: "All keys: last used, revoke",
};
