/** @type {import("./connections.js").Connections["calendars"]} */
export const calendars = {
  intro:
    "Kalendarz w telefonie lub komputerze subskrybuje adres i pokazuje Twoje terminy. Tylko je odczytuje.",
  refresh:
    "Kiedy widać zmianę, zależy od kalendarza: Apple i Outlook sprawdzają co kilka godzin, Google raz lub dwa razy dziennie.",
  empty: "Nie ma jeszcze żadnego kalendarza.",
  make: "Nowy kalendarz",
  name: "Jak ma się nazywać?",
  nameUsual: "Warsztat",
  show: "Pokazuje",
  shows: { due: "Terminy zleceń", estimates: "Koniec ważności wycen", both: "Zlecenia i wyceny" },
  names: "Nazwiska klientów",
  namesOf: { full: "W całości", initials: "Inicjały", none: "Bez nazwisk" },
  namesHelp: "Widzi je każdy, kto ma adres, bez logowania.",
  create: "Utwórz kalendarz",
  addressTitle: "Adres kalendarza",
  address: "Adres",
  addressOnce: "Skopiuj go teraz albo otwórz na tym urządzeniu. Pokazuje się tylko ten jeden raz.",
  subscribe: "Dodaj do kalendarza na tym urządzeniu",
  revoke: "Unieważnij",
  by: (name) => `Dodane przez: ${name}`,
};
