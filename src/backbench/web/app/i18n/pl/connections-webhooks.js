import { pluralOf } from "../plurals.js";

/** @type {import("./connections.js").Connections["webhooks"]} */
export const webhooks = {
  intro: "Twój program, na przykład n8n albo Home Assistant, od razu dowiaduje się o każdej zmianie.",
  ownersOnly: "Webhooki ustawiają tylko właściciele warsztatu.",
  empty: "Nie ma jeszcze żadnego webhooka.",
  make: "Nowy webhook",
  url: "Adres odbiorcy",
  urlHelp: "Zaczyna się od https:// i jest dostępny z internetu.",
  description: "Do czego służy?",
  which: "Dostaje wiadomość o",
  all: "Każdej zmianie",
  chosen: "Wybranych",
  kindsMissing: "Wybierz co najmniej jeden rodzaj.",
  groups: {
    orders: "Zlecenia",
    money: "Wpłaty",
    estimates: "Wyceny",
    customers: "Klienci",
    tiles: "Kafelki i pliki",
    workshop: "Warsztat i zespół",
  },
  kinds: (count) =>
    `${count} ${
      pluralOf("pl", count, { one: "rodzaj", few: "rodzaje", many: "rodzajów", other: "rodzaju" })
    }`,
  create: "Utwórz webhook",
  secretTitle: "Sekret webhooka",
  secret: "Sekret",
  secretOnce: "Odbiorca sprawdza nim, że wiadomości są stąd. Skopiuj go teraz: pokazuje się tylko raz.",
  rotatedOnce: "Skopiuj go teraz: pokazuje się tylko raz. Przez 24 godziny podpisuje także poprzedni.",
  disabled: {
    gone: "Odbiorca odpowiedział, że go już nie ma, więc nic nie jest wysyłane.",
    failing: "Od pięciu dni żadna próba się nie udała, więc nic nie jest wysyłane.",
    owner: "Wyłączony. Nic nie jest wysyłane.",
    owner_left:
      "Osoba, która go dodała, nie jest już właścicielem warsztatu, więc nic nie jest wysyłane. Włącz go tylko, jeśli odbiorca należy do Was, i odnów sekret.",
  },
  off: "wyłączony",
  enable: "Włącz od teraz",
  disable: "Wyłącz",
  enableAgain: "Włącz i wyślij zaległe…",
  edit: "Zmień",
  save: "Zapisz",
  test: "Wyślij wiadomość próbną",
  testName: "Wiadomość próbna",
  rotate: "Nowy sekret",
  remove: "Usuń",
  replay: "Wyślij ponownie od…",
  replaySince: "Od kiedy",
  replayHelp: "Najwyżej 30 dni wstecz. Po identyfikatorze wiadomości odbiorca pozna, co już ma.",
  replayNow: "Wyślij ponownie",
  deliveries: "Wysłane",
  noDeliveries: "Nic jeszcze nie wysłano. Wypróbuj wiadomość próbną.",
  statuses: { pending: "czeka", delivered: "dotarła", failed: "porzucona" },
  noResponse: "brak odpowiedzi",
  response: (status) => `odpowiedź ${status}`,
  attempts: (count) =>
    `${count} ${pluralOf("pl", count, { one: "próba", few: "próby", many: "prób", other: "próby" })}`,
  next: (when) => `ponownie ${when}`,
  resend: "Wyślij ponownie",
};
