"""The external providers that the settings name: sign-in, payments, language model, a bucket of files."""

import os
from collections.abc import Mapping
from importlib.util import find_spec

from backbench.billing.payment_provider import Payments
from backbench.billing.plans import CheckoutAvailability
from backbench.integrations.ai import AiClient
from backbench.integrations.blobs import open_blobs
from backbench.integrations.google import Google
from backbench.integrations.prompts import Provider
from backbench.settings import PREFIX, BadSetting, Settings
from backbench.values.errors import Unavailable


def require_complete_settings(settings: Settings) -> None:
    """Raises BadSetting where an integration is configured incompletely, its package is missing, or refuses a value."""
    google_of(settings)
    ai_of(settings)
    payments_of(settings)
    _require_bucket(settings)


def google_of(settings: Settings) -> Google | None:
    """The client of the sign-in provider, where its id and its secret are set. Raises BadSetting for one of them."""
    required = {"GOOGLE_CLIENT_ID": settings.google_client_id, "GOOGLE_CLIENT_SECRET": settings.google_client_secret}
    if not _are_set(required):
        return None
    if find_spec("authlib") is None or find_spec("httpx2") is None:
        raise BadSetting(
            "BACKBENCH_GOOGLE_CLIENT_ID needs packages that are not installed: those of the extra 'google'"
        )
    return Google(
        settings.google_issuer,
        settings.google_client_id,
        settings.google_client_secret,
        f"{settings.public_url}/api/auth/google/callback",
    )


def ai_of(settings: Settings) -> AiClient | None:
    """The language model, where a provider is set. Raises BadSetting where its settings are incomplete."""
    kind = settings.ai_provider
    if kind == "":
        return None
    if not settings.ai_model:
        raise BadSetting("BACKBENCH_AI_PROVIDER needs BACKBENCH_AI_MODEL, the name of a model")
    if not (settings.ai_url or settings.ai_key):
        raise BadSetting("BACKBENCH_AI_PROVIDER needs BACKBENCH_AI_KEY, or BACKBENCH_AI_URL for a server of your own")
    if find_spec("pydantic_ai") is None or find_spec(kind) is None:
        raise BadSetting("BACKBENCH_AI_PROVIDER needs packages that are not installed: those of the extra 'ai'")
    return AiClient(
        Provider(
            kind=kind,
            model=settings.ai_model,
            url=settings.ai_url,
            key=settings.ai_key,
            output=settings.ai_output,
            seconds=settings.ai_timeout,
            at_once=settings.ai_at_once,
        )
    )


def payments_of(settings: Settings) -> Payments | None:
    """The payment provider, where both of its secrets and a price are set.

    Raises BadSetting where only some of them are, or without its library.
    """
    required = {
        "STRIPE_SECRET_KEY": settings.stripe_secret_key,
        "STRIPE_WEBHOOK_SECRET": settings.stripe_webhook_secret,
        "STRIPE_PRICE": settings.stripe_price,
    }
    if not _are_set(required):
        return None
    if find_spec("stripe") is None or find_spec("httpx") is None:
        raise BadSetting(
            "BACKBENCH_STRIPE_SECRET_KEY needs packages that are not installed: those of the extra 'stripe'"
        )
    return Payments(
        settings.stripe_secret_key, settings.stripe_webhook_secret, settings.stripe_price, settings.stripe_api_url
    )


def _require_bucket(settings: Settings) -> None:
    """Raises BadSetting where the library of buckets refuses one of its settings. It does not say which variable."""
    try:
        open_blobs(settings.files_url)
    except Unavailable as error:
        names = [f"{PREFIX}FILES_URL", *sorted(name for name in os.environ if name.startswith("AWS_"))]
        raise BadSetting(f"{', '.join(names)}: not understood: {error.detail.partition(': ')[2]}") from None


def checkout_availability(settings: Settings) -> CheckoutAvailability:
    if not settings.pro_purchase:
        return "pro_purchase_disabled"
    if payments_of(settings) is None:
        return "payments_not_configured"
    return "available"


def _are_set(required: Mapping[str, str]) -> bool:
    """False where none is set. Raises BadSetting where some are and others are missing."""
    missing = [PREFIX + name for name, value in required.items() if not value]
    if len(missing) == len(required):
        return False
    if missing:
        present = next(PREFIX + name for name, value in required.items() if value)
        raise BadSetting(f"{present} needs {' and '.join(missing)}, too")
    return True
