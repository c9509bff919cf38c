import { agents } from "./connections-agents.js";
import { calendars } from "./connections-calendars.js";
import { imports } from "./connections-imports.js";
import { push } from "./connections-push.js";
import { webhooks } from "./connections-webhooks.js";

/** Words of the connections: each with its name, and one sentence on what leaves the server and to whom. */
export const connections = {
  title: "Connections",
  intro: "What leaves this server, and to whom. Nothing does until you set it up here.",
  parts: {
    calendars: [
      "Calendars",
      "Due days and titles, and names if you choose so, go to every calendar that has the address.",
    ],
    push: [
      "Phone notifications",
      "A message that only this device can read goes through the push service of its browser’s maker, which sees when one comes.",
    ],
    webhooks: [
      "Webhooks",
      "The kind, time and id of each change, and no names or amounts, go to the addresses that you enter.",
    ],
    agents: [
      "AI agents",
      "What an agent reads with your key goes to the company that runs its model.",
    ],
    imports: [
      "Import",
      "Lists of customers, orders and prices come in from a file. Nothing leaves the server.",
    ],
  },
  agents,
  calendars,
  imports,
  push,
  webhooks,
};
