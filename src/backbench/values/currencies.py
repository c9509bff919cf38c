"""Currencies: ISO 4217 codes and minor units.

Without units of account and precious metals. A test holds the table against the published one.
"""

from decimal import Decimal

_TWO_DECIMALS = """
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC
CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD
NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN
SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
"""
_NO_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND"
MINOR_DIGITS = {
    **dict.fromkeys(_TWO_DECIMALS.split(), 2),
    **dict.fromkeys(_NO_DECIMALS.split(), 0),
    **dict.fromkeys(_THREE_DECIMALS.split(), 3),
}
# The numbers of decimals that amounts can have.
DECIMALS = tuple(sorted(set(MINOR_DIGITS.values())))
_UNITS = {decimals: Decimal(1).scaleb(-decimals) for decimals in DECIMALS}


def minor_digits(currency: str) -> int:
    """The number of decimals of an amount in `currency`; 2 for an unknown code."""
    return MINOR_DIGITS.get(currency, 2)


def minor_unit(currency: str) -> Decimal:
    """The smallest amount that can be paid in `currency`: 0.01 in most."""
    return _UNITS[minor_digits(currency)]
