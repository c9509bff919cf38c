import { scopeAreas, scopeGroups, scopeNames } from "./shop-scopes.js";

/** @type {typeof import("../en/shop-account.js").account} */
export const account = {
  title: "Konto",
  name: "Imię i nazwisko",
  nameHelp: "Widzi je Twój zespół.",
  email: "Adres e-mail",
  emailHelp: "Nim się logujesz.",
  mailLanguage: "Język e-maili i szablonów",
  password: "Hasło",
  changePassword: "Zmień hasło",
  currentPassword: "Obecne hasło",
  newPassword: "Nowe hasło",
  newPasswordHelp: "Co najmniej 8 znaków. Krótkie zdanie łatwo zapamiętać.",
  passwordChanged: "Hasło zmienione. Na innych urządzeniach trzeba zalogować się ponownie.",
  noPassword: "Logujesz się przez Google. Żeby mieć hasło, poproś o link administratora tego serwera.",
  google: "Google",
  googleLinked: "Możesz logować się przez Google.",
  unlink: "Nie loguj mnie więcej przez Google",
  remove: "Usuń konto",
  removeIntro: "Na zawsze, razem z tym, co należy tylko do Ciebie.",
  removeText: "Twoje dane, sesje i klucze API znikną od razu. Tego nie da się cofnąć.",
  removeWorkshops: (names) => `Razem z kontem znikną, ze zleceniami i wycenami: ${names}.`,
  removeStays: (names) => `W zespołach zostają: ${names}.`,
  exportFirst: "Najpierw pobierz dane",
  removeNow: "Usuń moje konto",
};

/** @type {typeof import("../en/shop-account.js").devices} */
export const devices = {
  title: "Urządzenia",
  intro: "Twoje aktywne sesje. Zakończ te, których nie rozpoznajesz.",
  current: "To urządzenie",
  lastSeen: (when) => `ostatnio ${when}`,
  since: (when) => `od ${when}`,
  on: (browser, system) => `${browser}, ${system}`,
  unknown: "Nieznana przeglądarka",
  end: "Wyloguj",
  endOthers: "Wyloguj wszędzie indziej",
  ended: "Wylogowano",
};

/** @type {typeof import("../en/shop-account.js").keys} */
export const keys = {
  title: "Klucze API",
  intro: "Z kluczem program działa w Twoim imieniu: strona internetowa, księgowość albo ekran na ścianie.",
  empty: "Nie ma jeszcze kluczy.",
  make: "Nowy klucz",
  name: "Do czego ma służyć?",
  scopes: "Może",
  scopeNames,
  scopeGroups,
  scopeAreas,
  together: (areas) => `Razem otwierają też: ${areas}.`,
  scopesMissing: "Wybierz co najmniej jedno.",
  workshop: "W którym warsztacie",
  everyWorkshop: "We wszystkich moich warsztatach",
  expiry: "Ważność",
  expiries: { month: "30 dni", year: "Rok", never: "Bezterminowo" },
  create: "Utwórz klucz",
  secretTitle: "Nowy klucz",
  secretOnce: "Skopiuj go teraz. Pokazuje się tylko ten jeden raz.",
  secret: "Klucz",
  expires: (when) => `do ${when}`,
  used: (when) => `użyty ${when}`,
  unused: "jeszcze nieużyty",
  revoke: "Unieważnij",
  revoked: (name) => `Unieważniono: ${name}`,
  revokedKeys: "Unieważnione",
  expired: "wygasł",
};

/** @type {typeof import("../en/shop-account.js").exports} */
export const exports = {
  title: "Kopia danych",
  intro: "Wszystko, co jest na koncie: do zachowania albo do zabrania gdzie indziej.",
  archive: "Wszystko, jako ZIP",
  help: {
    archive: "Zlecenia, wyceny, ustawienia, PDF-y i zdjęcia pod czytelnymi nazwami.",
    json: "Dla programów: bez PDF-ów i zdjęć.",
  },
  json: "Same dane, jako JSON",
  waiting: (changes) => `Niewysłane: ${changes}. Nie będzie ich w pliku.`,
  sendFirst: "Wyślij je teraz",
  complete: "Wszystko, co wpisano na tym telefonie, dotarło do serwera.",
  done: (size) => `Plik gotowy: ${size}.`,
  working: "Pakowanie…",
};
