"""Languages of drafts: how each is requested, and its words for what a draft must not say.

To add a language, add an entry to LANGUAGES. In word lists, `*` is any ending or beginning and `_` is white space.
Words without accents also match with them; a word with accents matches only with them (pięć: piec is a stove).
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, cached_property

from msgspec import Struct

from backbench.values.enums import DocumentLocale, MessageTone

# Letters that are no base letter with an accent to Unicode.
_BASE_LETTERS = str.maketrans("łøđħŧıŋĸ", "lodhtink")


class Language(Struct, frozen=True, dict=True):
    """Word lists of a language.

    common: words found in nearly every text, by which a text's language is recognized.
    numbers, money, dates, terms: words that no draft may contain, in any language.
    limits: words that make a sum another one where they share its paragraph ("from", "per", "half of").
    approximations: likewise ("about"), allowed in a message about a preliminary estimate.
    preliminary: words of which a message about a preliminary estimate needs one, and others must have none.
    until: phrases that precede the date of validity.
    """

    name: str
    tones: Mapping[MessageTone, str]
    common: str
    numbers: str
    money: str
    dates: str
    terms: str
    limits: str
    approximations: str
    preliminary: str
    until: str

    @cached_property
    def common_words(self) -> frozenset[str]:
        return frozenset(self.common.split())

    @cached_property
    def forbidden(self) -> re.Pattern[str]:
        return pattern(self.numbers, self.money, self.dates, self.terms)


@cache
def pattern(*lists: str) -> re.Pattern[str]:
    """Matches any word or phrase of the lists in case-folded text."""
    phrases = " ".join(lists).split()
    alternatives = (re.escape(phrase).replace(r"\*", r"\w*").replace("_", r"\s+") for phrase in phrases)
    return re.compile(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)")


def found_in(text: str, words: re.Pattern[str]) -> list[str]:
    """The listed words that occur in the text, in any case, with or without accents."""
    lowered = text.casefold()
    return list(dict.fromkeys([*words.findall(lowered), *words.findall(without_accents(lowered))]))


def without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.translate(_BASE_LETTERS))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


LANGUAGES: dict[DocumentLocale, Language] = {
    "en": Language(
        name="English",
        tones={
            "formal": "formal and courteous, such as a firm writes to a client it does not know",
            "friendly": "warm and plain, such as a craftsperson writes to a client they have met",
        },
        common="the and you your is are with our this of will if please from an it for",
        numbers="""
            two* three* four* five* six* seven* eight* nine* ninth* ten tens tenth* tenfold eleven* twel* twent* thirt*
            forty forties fortieth fift* hundred* thousand* million* billion* bn mln k dozen* zero nil half halves
            quarter* third* twice thrice double* doubling triple* tripling couple percent* per_cent grand
        """,
        money="""
            euro* eur pln usd gbp chf czk zlotys zloties a_zloty one_zloty zl dollar* pound pounds cent cents penny
            pennies pence quid buck bucks bitcoin* crypto*
        """,
        dates="""
            january february march april june july august september october november december in_may by_may of_may
            until_may from_may since_may this_may next_may monday* tuesday* wednesday* thursday* friday* saturday*
            sunday* today tonight tomorrow* weekend* fortnight* week weeks weekly month months monthly year years
            yearly hour hours hourly days daily in_a_day christmas easter noon midnight in_spring by_spring this_spring
            next_spring summer autumn winter
        """,
        terms="""
            free_of_charge for_free no_charge complimentary fee fees discount* rebate* refund* cashback deposit*
            down_payment up_front upfront instalment* installment* surcharge* guarant* warrant* pay pays paid paying
            payable payment* prepa* cash bank banks iban account_number* account_no paypal venmo zelle revolut
            gift_card* cheaper waive* deduct* reduce* reduction* lower lowered money on_top extra extras per apiece
            vat tax taxes taxed gst net gross
        """,
        limits="""
            from over above than least most up under below plus minus nearly almost short starting between not no was
            were max maximum min minimum without before excluding each every one single unit part parts share rest
        """,
        approximations="about around roughly approx* circa ca some",
        preliminary="preliminary provisional rough roughly initial indicative ballpark first_estimate first_indication",
        until="until till",
    ),
    "pl": Language(
        name="Polish",
        tones={
            "formal": "formal, in the first person plural; open with Szanowni Państwo and never use a vocative or "
            "guess whether the client is Pan or Pani",
            "friendly": "warm and plain; open with Dzień dobry, use no vocative, and no verb form that tells whether "
            "a man or a woman writes",
        },
        common="""
            się jest są dla oraz nie na za od po że lub przez który która które w z ze o przy jak ten
            prosimy proszę państwa dziękujemy dziękuję przesyłam przesyłamy
        """,
        numbers="""
            dwa* dwie* dwu* dwoch dwom dwoma dwoj* trzy trzej trzyna* trzydz* trzyst* trzykrot* trzech* trzem* trzeci*
            troje trojga czter* czwart* pięć* pięc* piat* piecset piecdz* pietnas* szesc* szesn* szost* siedem*
            siedmi* siodm* osiem* osm* dziewie* dziewia* dziesie* dziesia* jedenas* *nascie *nastu *dziesci* *dziesiat*
            *dziestk* sto stu setka setke setki setek dwust* kilkaset paręset tysi* tys milion* mln miliard* mld tuzin*
            zero zera pol polow* poltor* cwierc* podwoj* potroj* dwukrot* stowa stowe stowk* stow dych* dyszk*
            procent* razy
        """,
        money="""
            zl zlotych zlotego zlotowk* jed*_zlot* jed*_cent* grosz* euro* eur dolar* funt funty funta funtow
            centy centow bitcoin* krypto*
        """,
        dates="""
            stycz* luty lutego lutym marzec marca marcu kwiecien kwietn* maj maja maju czerwiec czerwc* lipiec lipca
            lipcu sierp* wrzesien wrzesn* pazdziern* listopad* grudzien grudn* poniedzial* wtorek wtork* sroda srode
            srody srodzie piatek sobot* niedziel* jutro jutrzejsz* pojutrze dzis dzisiaj* weekend* święta świąt*
            wielkanoc* dni dniach tydzien tygod* miesiac* miesiec* rok roczn* konca_roku koniec_roku godzin* wiosn*
            latem jesieni* zima zime zimy poludni*
        """,
        terms="""
            bezplat* darmow* za_darmo gratis* rabat* upust* znizk* zwrot* zwrac* zalicz* zadatek zadatk* przedplat*
            doplat* gwaranc* gwarant* rata rate raty ratach ratami przelew* rachun* bankow* blik* gotowk* konto konta
            koncie kart*_podarunk* taniej drozej pieni* dolicz* odlicz* zmniejsz* obniz* osobno płat* płac* zapłac*
            zapłat* wpłac* wpłat* vat podat* netto brutto ptu
        """,
        limits="""
            od do ponad powyzej ponizej najmniej najwyzej maks* min minimalnie prawie niemal blisko niecal* miedzy nie
            bez plus minus oprocz przed jeden jedna jedno jednego jednej sztuk* kazd* czesc czesci reszta dodatkow*
        """,
        approximations="okolo ok ca circa mniej_wiecej rzedu jakies",
        preliminary="wstepn* orientacyjn* szacunkow*",
        until="do do_dnia",
    ),
}
