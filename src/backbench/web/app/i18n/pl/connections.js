import { agents } from "./connections-agents.js";
import { calendars } from "./connections-calendars.js";
import { imports } from "./connections-imports.js";
import { push } from "./connections-push.js";
import { webhooks } from "./connections-webhooks.js";

/** @typedef {typeof import("../en/connections.js").connections} Connections */

/** @type {Connections} */
export const connections = {
  title: "Połączenia",
  intro: "Co opuszcza ten serwer i do kogo trafia. Nic, dopóki tego tu nie włączysz.",
  parts: {
    calendars: [
      "Kalendarze",
      "Terminy i tytuły, a jeśli chcesz, także nazwiska, trafiają do każdego kalendarza, który ma adres.",
    ],
    push: [
      "Powiadomienia w telefonie",
      "Wiadomość, którą odczyta tylko to urządzenie, idzie przez serwer producenta przeglądarki; widzi on, kiedy przychodzi.",
    ],
    webhooks: [
      "Webhooki",
      "Rodzaj, czas i identyfikator zmiany, bez nazwisk i kwot, trafiają pod adresy, które wpiszesz.",
    ],
    agents: [
      "Agenci AI",
      "Co agent przeczyta Twoim kluczem, trafia do firmy, u której działa jego model.",
    ],
    imports: [
      "Import",
      "Listy klientów, zleceń i cen wchodzą z pliku. Nic nie opuszcza serwera.",
    ],
  },
  agents,
  calendars,
  imports,
  push,
  webhooks,
};
