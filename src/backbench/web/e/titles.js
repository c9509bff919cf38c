// What the document is called: the words of the page follow its title, which is an estimate unless it says otherwise.

const ENGLISH = { quotation: ["quotation", "Quotation"], cost_estimate: ["cost estimate", "Cost estimate"] };
// An offer has the gender and the endings of "wycena".
const OFFER = [[/wycen(?=[aąyę])/g, "ofert"], [/Wycen(?=[aąyę])/g, "Ofert"], [/wycenie/g, "ofercie"], [/Wycenie/g, "Ofercie"]];
// "Kosztorys" is masculine: whole phrases change. The longer ones are first.
const COST_ESTIMATE = [
  ["Ta wycena została przyjęta", "Ten kosztorys został przyjęty"],
  ["Wycena została przyjęta", "Kosztorys został przyjęty"],
  ["Wycena została odrzucona", "Kosztorys został odrzucony"],
  ["Wycena została wczytana ponownie, bo zmieniła się od czasu, gdy ją czytasz. Sprawdź ją", "Kosztorys został wczytany ponownie, bo zmienił się od czasu, gdy go czytasz. Sprawdź go"],
  ["Tę wycenę można tu tylko przeczytać. Aby ją przyjąć", "Ten kosztorys można tu tylko przeczytać. Aby go przyjąć"],
  ["Termin przyjęcia tej wyceny już minął. Nadal możesz ją", "Termin przyjęcia tego kosztorysu już minął. Nadal możesz go"],
  ["Przy tej wycenie", "Przy tym kosztorysie"],
  ["przy wycenie", "przy kosztorysie"],
  ["tej wyceny", "tego kosztorysu"],
  ["wyceny", "kosztorysu"],
  ["wycenę", "kosztorys"],
  ["Wycena", "Kosztorys"],
  ["Ważna do", "Ważny do"],
];
const MASCULINE = {
  states: { accepted: "Przyjęty", declined: "Odrzucony", superseded: "Zastąpiony", expired: "Nieaktualny" },
  recorded: {
    accepted: (how) => `Przyjęty ${how}, zapisał wykonawca.`,
    declined: (how) => `Odrzucony ${how}, zapisał wykonawca.`,
  },
};

/** The words of the page for a document with this title. */
export function titled(texts, locale, title = "estimate") {
  if (title === "estimate") return texts;
  if (locale === "en") {
    const [small, large] = ENGLISH[title];
    return changed(texts, (text) => text.replace(/\bestimate\b/g, small).replace(/\bEstimate\b/g, large));
  }
  const pairs = title === "quotation" ? OFFER : COST_ESTIMATE;
  const found = changed(texts, (text) => pairs.reduce((left, [from, to]) => left.replaceAll(from, to), text));
  return title === "quotation" ? found : { ...found, ...MASCULINE };
}

function changed(value, change) {
  if (typeof value === "string") return change(value);
  if (typeof value === "function") return (...values) => change(value(...values));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, changed(each, change)]));
}
