/** @type {typeof import("../en/payments.js").payments} */
export const payments = {
  title: "Pieniądze",
  agreed: "Uzgodniono",
  sources: {
    accepted: "wycena przyjęta",
    confirmed: "wycena jeszcze nieprzyjęta",
    entered: "bez wyceny",
    none: "",
  },
  paid: "Wpłacono",
  due: "Do zapłaty",
  nothingDue: "Wszystko opłacone",
  overpaid: "Nadpłata",
  deposit: (amount) => `Przedpłata ${amount}`,
  depositPaid: (amount) => `z tego wpłacono ${amount}`,
  setPrice: "Uzgodniona cena",
  setPriceHelp: "Do pracy bez wyceny. Puste pole: brak ceny.",
  add: "Dodaj wpłatę",
  showCode: "Kod do zapłaty",
  kinds: { deposit: "Przedpłata", payment: "Wpłata", refund: "Zwrot" },
  methods: { cash: "Gotówka", transfer: "Przelew", card: "Karta", blik: "BLIK", other: "Inaczej" },
  kind: "Co to jest?",
  method: "Jak?",
  amount: "Kwota",
  receivedOn: "Dzień",
  note: "Uwagi",
  save: (amount) => `Zapisz ${amount}`,
  recorded: (amount) => `Zapisano: ${amount}`,
  collecting: {
    title: (amount) => `Do zapłaty: ${amount}`,
    later: "Później",
  },
  more: "Dzień, uwagi",
  wrongAmount: "Kwota musi być większa od zera.",
  tooPrecise: (decimals) =>
    decimals
      ? `Najwyżej ${decimals} ${decimals === 1 ? "miejsce" : "miejsca"} po przecinku.`
      : "Tylko pełne kwoty.",
  tooMuch: "To więcej, niż wpłacono.",
  list: "Wpłaty",
  receipt: "Potwierdzenie",
  void: "Anuluj",
  voidTitle: "Anulować wpłatę?",
  voidHelp: "Zostanie na liście razem z powodem, ale nie będzie liczona.",
  reason: "Powód",
  voided: "Anulowana",
  takeBack: "Cofnij",
  pay: {
    title: "Zapłata",
    scan: "Zeskanuj kod w aplikacji banku, a wypełni przelew.",
    code: "Kod QR do przelewu",
    noCode: "Dla tej waluty i tego rachunku nie można zrobić kodu.",
    noAccount: "Podaj rachunek bankowy w Warsztat → Dokumenty, a pojawi się tu kod do zeskanowania.",
    link: "Otwórz link do płatności",
    name: "Odbiorca",
    iban: "Rachunek bankowy",
    amount: "Kwota",
    reference: "Tytuł",
    copy: (what) => `Kopiuj: ${what}`,
    copied: "Skopiowano",
  },
  numbers: {
    title: "Liczby",
    intro: "Z Twoich zleceń i wycen, według dni w Twojej strefie czasowej.",
    owed: {
      title: "Jeszcze nieopłacone",
      intro: "Odebrane zlecenia, za które zostało coś do zapłaty, od najnowszych.",
      none: "Nikt nie zalega z zapłatą.",
      by: (sum, customers) =>
        `Z zapłatą ${sum} zalega ${customers} ${customers === 1 ? "klient" : "klientów"}.`,
      collected: (day) => `odebrane ${day}`,
    },
    open: (count, sum) =>
      count === 0
        ? "Żadna wycena nie czeka na odpowiedź."
        : `Na odpowiedź ${plural(count, "czeka", "czekają", "czeka")} ${count} ${
          plural(count, "wycena", "wyceny", "wycen")
        }${sum ? `: ${sum}` : ""}.`,
    decided: (accepted, all, percent) =>
      all === 0
        ? "W tych miesiącach nikt nie odpowiedział na wycenę."
        : `Przyjęte wyceny: ${accepted} z ${all} z odpowiedzią, czyli ${percent}%.`,
    late: (count) =>
      count === 0
        ? "Żadne zlecenie nie jest spóźnione."
        : `${plural(count, "Spóźnione jest", "Spóźnione są", "Spóźnionych jest")} ${count} ${
          plural(count, "zlecenie", "zlecenia", "zleceń")
        }.`,
    ready: (count) =>
      count === 0
        ? "Nic nie czeka na odbiór."
        : `Na odbiór ${plural(count, "czeka", "czekają", "czeka")} ${count} ${
          plural(count, "zlecenie", "zlecenia", "zleceń")
        }.`,
    thisMonth: (sum) => `Wpłaty w tym miesiącu: ${sum}`,
    nothing: "brak",
    months: "Miesiącami",
    month: "Miesiąc",
    agreed: "Uzgodniono",
    received: "Wpłacono",
    plot: "Uzgodnione i wpłacone kwoty w kolejnych miesiącach",
    currency: "Waluta",
    of: (month) => `Uzgodniono i wpłacono: ${month}`,
    noEntries: "W tym miesiącu nic nie ma.",
    csv: "Do arkusza kalkulacyjnego (CSV)",
    csvMonths: "Liczby miesiącami",
    csvPayments: "Wpłaty",
    csvOrders: "Zlecenia",
    csvCustomers: "Klienci",
    csvTiles: "Kafelki",
    back: "Liczby",
  },
};

/** @param {number} count @param {string} one @param {string} few @param {string} many */
function plural(count, one, few, many) {
  if (count === 1) return one;
  const isFew = [2, 3, 4].includes(count % 10) && ![12, 13, 14].includes(count % 100);
  return isFew ? few : many;
}
