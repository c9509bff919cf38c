"""Services of endpoints: those of actions, and what needs HTTP or the event loop of the worker."""

from backbench.actions.services import Services
from backbench.http.concurrency import ConcurrencyLimit
from backbench.jobs.live_changes import LiveChanges


class EndpointServices(Services, frozen=True, kw_only=True):
    # Rendering of PDFs and of their pages, and exports of accounts.
    pdf_slots: ConcurrencyLimit
    export_slots: ConcurrencyLimit
    live_changes: LiveChanges
