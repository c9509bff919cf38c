/** @type {import("./connections.js").Connections["push"]} */
export const push = {
  intro: "Wiadomość na tym urządzeniu, gdy klient odpowie. Wybierasz, o czym; reszta milczy.",
  turnOn: "Włącz na tym urządzeniu",
  turnOff: "Wyłącz",
  isOn: "Włączone na tym urządzeniu",
  isOff: "Wyłączone na tym urządzeniu",
  through: (service) => `przez ${service}`,
  test: "Wyślij próbną wiadomość",
  tested: "Wysłano. Przyjdzie za kilka sekund.",
  atOnce: "Od razu",
  morning: "Co rano o ósmej, w jednej wiadomości",
  details: "Podawaj, kto i co",
  detailsHelp:
    "„Jan Kowalski: Stół dębowy” zamiast nazwy warsztatu. Przeczyta to każdy, kto zobaczy zablokowany ekran.",
  others: "Inne urządzenia",
  cannot: {
    insecure: "Powiadomienia wymagają serwera z https.",
    install:
      "Na iPhonie i iPadzie powiadomienia dostaje tylko aplikacja z ekranu początkowego: stuknij Udostępnij, potem „Do ekranu początkowego”, i otwórz Backbench stamtąd.",
    none: "Ta przeglądarka nie umie pokazywać powiadomień.",
    denied:
      "Ta przeglądarka ma nie pokazywać powiadomień z tej strony. Zezwól na nie w jej ustawieniach i wróć tutaj.",
  },
  refused: "Niczego nie włączono.",
  unreachable: "Nie można połączyć się z serwerem powiadomień przeglądarki. Niektóre go nie mają.",
  hint: (name) =>
    name
      ? `Czy to urządzenie ma dać znać, gdy odpowie ${name}?`
      : "Czy to urządzenie ma dać znać, gdy klient odpowie?",
  hintYes: "Wybierz",
};
