"""Headings and words of CSV files, in both languages."""

from backbench.domain.values.enums import DocumentLocale, LineItemUnit

HEADINGS: dict[DocumentLocale, dict[str, str]] = {
    "en": {
        "number": "Order", "title": "Title", "customer": "Customer", "stage": "Stage",
        "due_on": "Due on", "ready": "Ready", "collected": "Collected", "agreed": "Agreed", "paid": "Paid",
        "due": "Still to pay", "currency": "Currency", "id": "Id", "received": "Received on", "kind": "Kind",
        "amount": "Amount", "method": "Method", "note": "Note", "recorded": "Recorded", "by": "Recorded by",
        "voided": "Voided", "voided_by": "Voided by", "reason": "Reason", "month": "Month",
        "agreed_count": "Agreed, number", "received_count": "Received, number", "received_sum": "Received",
        "name": "Name", "customer_kind": "Kind", "phone": "Phone", "other_phones": "Other phones", "email": "Email",
        "other_emails": "Other emails", "address": "Address", "site_address": "Site address", "tax_id": "Tax ID",
        "locale": "Language", "grid": "Grid", "emoji": "Emoji", "label": "Name", "unit": "Unit", "price": "Unit price",
    },
    "pl": {
        "number": "Zlecenie", "title": "Tytuł", "customer": "Klient", "stage": "Etap",
        "due_on": "Termin", "ready": "Gotowe", "collected": "Odebrano", "agreed": "Uzgodniono", "paid": "Wpłacono",
        "due": "Do zapłaty", "currency": "Waluta", "id": "Id", "received": "Data wpłaty", "kind": "Rodzaj",
        "amount": "Kwota", "method": "Forma płatności", "note": "Uwagi", "recorded": "Zapisano", "by": "Zapisał(a)",
        "voided": "Anulowano", "voided_by": "Anulował(a)", "reason": "Powód", "month": "Miesiąc",
        "agreed_count": "Uzgodniono, liczba", "received_count": "Wpłaty, liczba", "received_sum": "Wpłacono",
        "name": "Nazwa", "customer_kind": "Rodzaj", "phone": "Telefon", "other_phones": "Inne telefony",
        "email": "E-mail", "other_emails": "Inne e-maile", "address": "Adres", "site_address": "Miejsce prac",
        "tax_id": "NIP", "locale": "Język", "grid": "Zestaw", "emoji": "Emoji", "label": "Nazwa", "unit": "Jednostka",
        "price": "Cena jednostkowa",
    },
}  # fmt: skip
WORDS: dict[DocumentLocale, dict[str, str]] = {
    "en": {
        "received": "received", "waiting": "waiting", "in_progress": "in progress", "ready": "ready",
        "collected": "collected", "deposit": "deposit", "payment": "payment", "refund": "refund", "cash": "cash",
        "transfer": "bank transfer", "card": "card", "blik": "BLIK", "other": "other", "person": "person",
        "company": "company",
    },
    "pl": {
        "received": "przyjęte", "waiting": "czeka", "in_progress": "w toku", "ready": "gotowe", "collected": "odebrane",
        "deposit": "przedpłata", "payment": "wpłata", "refund": "zwrot", "cash": "gotówka", "transfer": "przelew",
        "card": "karta", "blik": "BLIK", "other": "inna", "person": "osoba", "company": "firma",
    },
}  # fmt: skip
# Unlike on documents the unit of no certain kind has a word, so that no cell is empty.
UNITS: dict[DocumentLocale, dict[LineItemUnit, str]] = {
    "en": {
        "sqm": "m²", "linear_m": "m", "piece": "piece", "pair": "pair", "hour": "hour", "job": "job",
        "freeform": "other",
    },
    "pl": {
        "sqm": "m²", "linear_m": "mb", "piece": "szt.", "pair": "para", "hour": "godz.", "job": "kpl.",
        "freeform": "inna",
    },
}  # fmt: skip
