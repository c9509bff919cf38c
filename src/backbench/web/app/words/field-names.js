// deno-fmt-ignore-file: a word is one line, in English and Polish.

import { builderWords } from "./builder.js";
import { customerWords } from "./customers.js";
import { invoiceWords } from "./invoices.js";
import { orderWords } from "./orders.js";
import { shopWords } from "./shop.js";
import { tileWords } from "./tiles.js";
import { pairs } from "./words.js";

/** Names of fields where they are not their labels, for changes that wait. */
const fieldNames = pairs({
  accentColor: ["accent colour", "kolor akcentu"],
  address: ["address", "adres"],
  agreed: ["agreed price", "uzgodniona cena"],
  assignedTo: ["who does it", "kto robi"],
  amount: ["amount", "kwota"],
  background: ["background", "tło"],
  backgroundColor: ["colour", "kolor"],
  breakdown: ["lines on the document", "pozycje na dokumencie"],
  buyer: ["buyer", "nabywca"],
  buttons: ["tiles", "kafelki"],
  caption: ["caption", "podpis zdjęcia"],
  condition: ["condition", "stan"],
  country: ["country", "kraj"],
  crafterName: ["your name", "Twoje imię i nazwisko"],
  currency: ["currency", "waluta"],
  customBackground: ["background", "tło"],
  customerId: ["customer", "klient"],
  customerName: ["client", "klient"],
  depositAmount: ["deposit", "przedpłata"],
  depositKind: ["kind of deposit", "rodzaj przedpłaty"],
  depositPercent: ["deposit", "przedpłata"],
  description: ["description", "opis"],
  discountPercent: ["discount", "rabat"],
  documentTitle: ["title of the document", "tytuł dokumentu"],
  dueOn: ["day", "dzień"],
  dueTime: ["time", "godzina"],
  email: ["email", "e-mail"],
  emails: ["email addresses", "adresy e-mail"],
  emoji: ["picture", "obrazek"],
  estimateId: ["estimate", "wycena"],
  footer: ["footer", "stopka"],
  iban: ["account number", "rachunek bankowy"],
  iconFileId: ["picture", "obrazek"],
  iconSize: ["size", "rozmiar"],
  intro: ["introduction", "wstęp"],
  invoiceNumbers: ["numbers of invoices", "numery faktur"],
  isConsumer: ["who buys", "kto kupuje"],
  item: ["thing", "rzecz"],
  keepCustomers: ["keep new people as customers", "zapisywanie nowych klientów"],
  kind: ["kind", "rodzaj"],
  label: ["name", "nazwa"],
  lines: ["lines", "pozycje"],
  lineItems: ["lines", "pozycje"],
  lineTaxes: ["tax of lines", "VAT pozycji"],
  locale: ["language", "język"],
  logo: ["picture of the sign", "obrazek szyldu"],
  logoFileId: ["logo", "logo"],
  markupPercent: ["markup", "narzut"],
  name: ["name", "nazwa"],
  notes: ["notes", "notatki"],
  openingHours: ["opening hours", "godziny otwarcia"],
  phones: ["phones", "telefony"],
  priceLimit: ["limit", "limit"],
  place: ["place", "miejsce"],
  pricesEntered: ["prices with or without VAT", "ceny z VAT czy bez"],
  pricesShown: ["prices on documents", "ceny na dokumentach"],
  privacyUrl: ["privacy page", "strona o prywatności"],
  quantity: ["quantity", "ilość"],
  recipientAddress: ["client’s address", "adres klienta"],
  recipientEmail: ["client’s email", "e-mail klienta"],
  recipientName: ["client", "klient"],
  recipientPhone: ["client’s phone", "telefon klienta"],
  recipientTaxId: ["client’s tax number", "NIP klienta"],
  revisionNumber: ["revision", "wersja"],
  registration: ["registration", "rejestr"],
  sections: ["headings", "nagłówki"],
  serial: ["serial number", "numer seryjny"],
  slipTerms: ["text on the slip", "tekst na kwicie"],
  shared: ["whether the customer sees it", "czy klient to widzi"],
  showLogo: ["whether the logo is shown", "czy pokazywać logo"],
  siteAddress: ["place of work", "miejsce prac"],
  tagline: ["tagline", "hasło"],
  taxKind: ["kind of tax", "rodzaj podatku"],
  taxLabel: ["name of the tax", "nazwa podatku"],
  taxNote: ["note on tax", "uwaga o podatku"],
  taxPercent: ["tax rate", "stawka VAT"],
  title: ["title", "tytuł"],
  titleFont: ["typeface", "krój pisma"],
  unit: ["unit", "jednostka"],
  unitPrice: ["price", "cena"],
  validDays: ["days of validity", "dni ważności"],
  waitingUntil: ["waiting until", "do kiedy czeka"],
  website: ["website", "strona WWW"],
  withdrawal: ["withdrawal", "odstąpienie"],
});

/** The words of the objects' fields. @type {Record<string, () => Readonly<Record<string, any>>>} */
const LABELS = {
  order: () => orderWords.value,
  orderDetails: () => orderWords.value,
  customer: () => customerWords.value,
  invoice: () => invoiceWords.value,
  estimate: () => builderWords.value,
  document: () => builderWords.value,
  settings: () => shopWords.value.documents,
  workshop: () => shopWords.value.sign,
  profile: () => shopWords.value.account,
  grid: () => tileWords.value,
};

/** The name of a field of a kind of object, in words: one of its own, or its label. @param {string} kind @param {string} field */
export function fieldName(kind, field) {
  const labels = LABELS[kind]?.() ?? {};
  const label = labels[`${field}Label`] ?? labels[field];
  const own = /** @type {Record<string, string>} */ (fieldNames.value)[field];
  // In the middle of a sentence; an abbreviation stays as it is.
  return own ?? (typeof label === "string" ? label.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase()) : undefined);
}
