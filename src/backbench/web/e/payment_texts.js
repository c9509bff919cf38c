// Texts of the part that says how to pay, in both languages.

export const PAYMENT_TEXTS = {
  en: {
    due: "Still to pay",
    paid: "Paid, thank you.",
    link: "Pay online",
    scan: "Scan it with your bank’s app: it fills in the transfer.",
    code: "QR code for a bank transfer",
    name: "Name",
    iban: "Bank account",
    amount: "Amount",
    title: "Reference",
    copy: "Copy",
    copied: (label) => `Copied: ${label}`,
  },
  pl: {
    due: "Do zapłaty",
    paid: "Opłacone, dziękujemy.",
    link: "Zapłać online",
    scan: "Zeskanuj kod w aplikacji banku, a wypełni przelew.",
    code: "Kod QR do przelewu",
    name: "Odbiorca",
    iban: "Rachunek bankowy",
    amount: "Kwota",
    title: "Tytuł",
    copy: "Kopiuj",
    copied: (label) => `Skopiowano: ${label}`,
  },
};
