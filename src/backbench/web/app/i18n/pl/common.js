import { errors, fields, statuses } from "./errors.js";
import { pluralOf } from "../plurals.js";

/**
 * @param {number} count
 * @param {string} one
 * @param {string} few
 * @param {string} many
 * @param {string} [other] of a fraction: the genitive
 */
const counted = (count, one, few, many, other = few) =>
  `${count} ${pluralOf("pl", count, { one, few, many, other })}`;

const buttons = {
  add: "Dodaj",
  back: "Wstecz",
  cancel: "Anuluj",
  change: "Zmień",
  choose: "Wybierz",
  close: "Zamknij",
  confirm: "Zatwierdź",
  copied: "Skopiowano",
  copy: "Kopiuj",
  delete: "Usuń",
  done: "Gotowe",
  download: "Pobierz",
  drop: "Porzuć",
  dropNow: "Porzuć na stałe",
  duplicate: "Powiel",
  edit: "Edytuj",
  more: "Więcej",
  moveDown: "Niżej",
  moveUp: "Wyżej",
  new: "Nowa",
  no: "Nie",
  ok: "OK",
  open: "Otwórz",
  reload: "Wczytaj ponownie",
  remove: "Usuń",
  retry: "Spróbuj ponownie",
  save: "Zapisz",
  search: "Szukaj",
  send: "Wyślij",
  share: "Udostępnij",
  showMore: "Pokaż więcej",
  signIn: "Zaloguj się",
  undo: "Cofnij",
  yes: "Tak",
};

const units = {
  piece: { short: "szt.", counted: "szt.|szt.|szt.|szt.", long: "Sztuka", per: "za sztukę" },
  pair: { short: "para", counted: "para|pary|par|pary", long: "Para", per: "za parę" },
  job: { short: "kpl.", counted: "kpl.|kpl.|kpl.|kpl.", long: "Komplet", per: "za całość" },
  hour: { short: "godz.", counted: "godz.|godz.|godz.|godz.", long: "Godzina", per: "za godzinę" },
  sqm: { short: "m²", counted: "m²|m²|m²|m²", long: "Metr kwadratowy", per: "za m²" },
  linear_m: { short: "mb", counted: "mb|mb|mb|mb", long: "Metr bieżący", per: "za mb" },
  freeform: { short: "×", counted: "×|×|×|×", long: "Dowolna ilość", per: "za jedno" },
};

const connection = {
  title: "Połączenie",
  allSent: "Serwer ma wszystko.",
  waitingTitle: "Zapisane na tym urządzeniu",
  notSentYet: "Zapisane na tym urządzeniu",
  needsConnection: "Do tego potrzebne jest połączenie.",
  insecure: "Bez https strony nie można zainstalować i nie działa ona bez internetu.",
  /** @param {string} name */
  otherAccount: (name) => `Na tym telefonie czekają jeszcze zmiany z konta: ${name}.`,
  /** @param {string} name */
  otherUnread: (name) => `Na tym telefonie mogą jeszcze czekać zmiany z konta: ${name}.`,
};

/** @param {string} text */
const always = (text) => () => text;

const status = {
  notStored: {
    short: always("Niezapisane"),
    text:
      "Ta przeglądarka nie zapisuje Twoich zmian: pamięć jest pełna albo zablokowana. Przepadną, jeśli zamkniesz stronę, zanim zostaną wysłane.",
  },
  refused: {
    /** @param {number} count */
    short: (count) =>
      counted(count, "zmiana czeka na decyzję", "zmiany czekają na decyzję", "zmian czeka na decyzję"),
    text: "Serwer nie przyjął niektórych zmian. Popraw je, spróbuj ponownie albo porzuć.",
  },
  conflict: {
    short: always("Wybierz wartość"),
    text: "Ktoś inny zmienił to samo. Wybierz, co zostaje.",
  },
  expired: {
    short: always("Wylogowano"),
    text: "Sesja wygasła. Twoje zmiany zostają tutaj i zostaną wysłane, gdy zalogujesz się ponownie.",
  },
  offline: {
    /** @param {number} count */
    short: (count) => count ? `Brak połączenia · zapisane tu: ${count}` : "Brak połączenia",
    text: "Nie ma połączenia. Twoje zmiany są zapisane tutaj i trafią na serwer, gdy wróci.",
  },
  serverAway: {
    /** @param {number} count */
    short: (count) => count ? `Serwer nie działa · zapisane tu: ${count}` : "Serwer nie działa",
    text: "Sieć działa, ale serwer nie odpowiada. Twoje zmiany są zachowane i zostaną wysłane, gdy wróci.",
  },
  waiting: {
    /** @param {number} count */
    short: (count) => `Jeszcze nie na serwerze: ${count}`,
    text: "Niektórych zmian nie ma jeszcze na serwerze. Aplikacja próbuje dalej sama.",
  },
  update: {
    short: always("Nowa wersja"),
    text: "Jest nowa wersja aplikacji. Włączy się, gdy zrobisz przerwę, albo od razu.",
  },
};

const conflict = {
  title: "Zmieniły to dwie osoby",
  /** @param {string} value */
  mine: (value) => `U Ciebie: ${value}`,
  /** @param {string} who @param {string} value */
  theirs: (who, value) => `${who}: ${value}`,
  keepMine: "Zostaw moje",
  takeTheirs: "Przyjmij tamtą zmianę",
  somebody: "Ktoś inny",
  empty: "(puste)",
};

/** @type {typeof import("../en/common.js").common} */
export const common = {
  language: "Polski",
  errors,
  fields,
  statuses,
  buttons,
  units,
  connection,
  status,
  conflict,
  places: { board: "Tablica", estimates: "Wyceny", newEstimate: "Nowa", tiles: "Kafelki", shop: "Warsztat" },
  orderStatus: { todo: "Do zrobienia", in_progress: "W toku", done: "Gotowe" },
  estimateStages: {
    draft: "Szkic",
    confirmed: "Zatwierdzona",
    changed: "Zmieniona",
    accepted: "Przyjęta",
    declined: "Odrzucona",
    work: "Na tablicy",
    expired: "Nieaktualna",
  },
  handoff: {
    "message-copied": "Skopiowano wiadomość",
    "message-shared": "Udostępniono wiadomość",
    "pdf-shared": "Udostępniono PDF",
    "pdf-and-message-shared": "Udostępniono PDF i wiadomość",
    "email-opened": "Otwarto e-mail",
  },
  kinds: {
    order: "Zlecenie",
    orderDetails: "Szczegóły zlecenia",
    customer: "Klient",
    orderNotices: "Wiadomość do klienta",
    orderSignature: "Podpis",
    orderQuestions: "Odpowiedź dla klienta",
    orderPayments: "Wpłata",
    orderBalance: "Uzgodniona cena",
    orderPhotos: "Zdjęcia",
    estimate: "Wycena",
    grid: "Kafelki",
    document: "Dokument",
    workshop: "Warsztat",
    settings: "Dokumenty",
    profile: "Konto",
    orderSummary: "Zlecenie",
    inbox: "Czeka na Ciebie",
  },
  roles: { owner: "Właściciel", member: "Członek zespołu" },
  plans: { free: "Bezpłatny", pro: "Pro" },
  languages: { en: "English", pl: "Polski" },
  money: {
    subtotal: "Suma pozycji",
    markup: "Narzut",
    discount: "Rabat",
    net: "Netto",
    tax: "VAT",
    total: "Razem",
    deposit: "Zaliczka",
    free: "gratis",
  },
  numbers: {
    decimal: "Przecinek",
    back: "Usuń ostatnią cyfrę",
    twice: "Razy dwa",
    price: "Cena",
    quantity: "Ilość",
  },
  dates: {
    now: "przed chwilą",
    never: "nigdy",
    since: (when) => `od ${when}`,
    until: (when) => `do ${when}`,
    validUntil: (when) => `ważna do ${when}`,
  },
  failed: "Nie udało się pokazać tego ekranu. Nic z tego, co wpisano, nie zginęło.",
  incomplete: "Brakuje części tego ekranu.",
  loading: "Wczytywanie…",
  nothingFound: "Niczego nie znaleziono.",
  search: "Szukaj",
  optional: "nieobowiązkowe",
  requestNumber: (id) => `Numer: ${id}`,
  againIn: (seconds) => `Za dużo prób. Spróbuj za ${duration(seconds)}.`,
  limitReached: (limit) => `Limit (${limit}) jest wyczerpany. Najpierw coś usuń.`,
  lines: (count) => counted(count, "pozycja", "pozycje", "pozycji", "pozycji"),
  orders: (count) => counted(count, "zlecenie", "zlecenia", "zleceń"),
  estimates: (count) => counted(count, "wycena", "wyceny", "wycen"),
  revisions: (count) => counted(count, "wersja", "wersje", "wersji", "wersji"),
  tiles: (count) => counted(count, "kafelek", "kafelki", "kafelków", "kafelka"),
  changes: (count) => counted(count, "zmiana", "zmiany", "zmian"),
  people: (count) => counted(count, "osoba", "osoby", "osób"),
  days: (count) => counted(count, "dzień", "dni", "dni", "dnia"),
  pages: (count) => counted(count, "strona", "strony", "stron"),
};

/** @param {number} seconds */
function duration(seconds) {
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
