"""Services: what the application provides to verbs, by settings and integrations."""

from collections.abc import Callable

from msgspec import Struct

from backbench.billing.payment_provider import Payments
from backbench.billing.plans import CheckoutAvailability, PlanRules
from backbench.connections.live_changes import LiveChanges
from backbench.http.concurrency import ConcurrencyLimit
from backbench.integrations.ai import AiClient
from backbench.integrations.blobs import Blobs
from backbench.integrations.google import Google
from backbench.integrations.passwords import Passwords
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.integrations.photos.scaler import PhotoScaler
from backbench.integrations.processes.pool import ProcessPool
from backbench.integrations.prompts import AiLimits
from backbench.values import times
from backbench.values.limits import EmailLimits, Limit, LinkLimits, SessionLife, SignInLimits, SignUpRules
from backbench.values.times import Instant

# Verbs


class Services(Struct, frozen=True, kw_only=True):
    """None stands for an integration that is not configured."""

    passwords: Passwords
    blobs: Blobs
    renderer: PdfRenderer
    photo_scaler: PhotoScaler
    import_processes: ProcessPool
    ai: AiClient | None = None
    google: Google | None = None
    payments: Payments | None = None
    public_url: str
    is_secure: bool
    # For webhooks, in tests: addresses of this machine, also without TLS.
    allows_loopback: bool = False
    support_email: str
    # Without a mail server nothing is offered or said to be emailed.
    has_mail_server: bool
    checkout: CheckoutAvailability
    plan_rules: PlanRules
    ai_limits: AiLimits
    email_limits: EmailLimits
    export_limit: Limit
    link_limits: LinkLimits
    session_life: SessionLife
    sign_in_limits: SignInLimits
    sign_up_rules: SignUpRules
    # For what happens long after the beginning of a request, such as the end of an upload.
    clock: Callable[[], Instant] = times.now


# Over HTTP


class EndpointServices(Services, frozen=True, kw_only=True):
    # Rendering of PDFs and of their pages, and exports of accounts.
    pdf_slots: ConcurrencyLimit
    export_slots: ConcurrencyLimit
    live_changes: LiveChanges
