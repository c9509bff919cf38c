/** Words of photos. */
export const photos = {
  title: "Zdjęcia",
  camera: "Aparat",
  gallery: "Galeria",
  none: "Nie ma jeszcze zdjęć. Jedno sprzed naprawy ucina niejeden spór.",
  /** @param {number} number @param {number} of */
  nth: (number, of) => `Zdjęcie ${number} z ${of}`,
  /** @param {number} sent @param {number} all */
  progress: (sent, all) => `Wysłano zdjęcia: ${sent} z ${all}`,
  kind: "Co pokazuje",
  kinds: { before: "Przed", during: "W trakcie", after: "Po", detail: "Szczegół" },
  caption: "Podpis",
  shared: "Klient może je zobaczyć",
  sharedHelp: "Na stronie zlecenia, dla każdego, kto ma jego kod.",
  cover: "Ustaw jako główne",
  isCover: "Główne",
  delete: "Usuń",
  deleted: "Usunięto zdjęcie",
  retry: "Wyślij ponownie",
  previous: "Poprzednie zdjęcie",
  next: "Następne zdjęcie",
  close: "Zamknij",
  isShared: "udostępnione",
  orderGone: "Tego zlecenia już nie ma.",
  /** Why one was not taken, by the code of the server. */
  problems: {
    unsupported_media_type:
      "Ten plik to nie JPEG, PNG ani WebP. Zdjęcia z iPhone’a: wybierz „Najbardziej zgodne” w ustawieniach aparatu.",
    too_large: "Zdjęcie jest za duże.",
    validation_error: "Zdjęcie jest uszkodzone.",
    plan_limit:
      "Nie ma miejsca na więcej zdjęć: zlecenie może mieć ich 40, a miejsce na pliki warsztatu też ma limit.",
    other: "Nie udało się wysłać zdjęcia.",
  },
  share: {
    title: "Dodaj zdjęcia",
    /** @param {number} count */
    which: (count) =>
      count === 1
        ? "Do którego zlecenia należy to zdjęcie?"
        : `Do którego zlecenia należą te zdjęcia (${count})?`,
    none: "Nie ma zdjęć do dodania.",
    search: "Szukaj zlecenia",
    fresh: "Nowe zlecenie",
  },
};
