"""Settings: environment variables `BACKBENCH_*`, and a `.env` file for those that are not set there.

An unknown or malformed setting stops the start with one clear line.
"""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints
from urllib.parse import unquote

from msgspec import Struct

from backbench import setting_values as parse
from backbench.billing.plans import MIB, PlanRules, WorkshopPlan
from backbench.env_file import read_env_file
from backbench.integrations.prompts import AiLimits
from backbench.values.enums import HstsScope
from backbench.values.limits import EmailLimits, Limit, SessionLife, SignInLimits, SignUpRules

PREFIX = "BACKBENCH_"
# What Kubernetes sets in every container for a service called "backbench", or "backbench-…".
_SERVICE_NAME = re.compile(PREFIX + r"(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)")
_SERVICE_ADDRESS = re.compile(r"(tcp|udp|sctp)://\S+")


class BadSetting(Exception):
    """An unknown or malformed setting. The message is one line: which setting, and what was expected."""


class Settings(Struct, frozen=True):
    """All settings with their defaults. `Annotated` names the parser of a value whose type alone does not give it."""

    database_url: Annotated[str, parse.database_url] = "sqlite:///data/backbench.db"
    files_url: Annotated[str, parse.files_url] = "file:data/files"
    deleted_files_days: Annotated[int, parse.whole_number(0, 365)] = 0
    host: Annotated[str, parse.host] = "127.0.0.1"
    port: Annotated[int, parse.whole_number(1, 65535)] = 8000
    stop_delay: Annotated[int, parse.whole_number(0, 300)] = 0
    public_url: Annotated[str, parse.public_url] = "http://127.0.0.1:8000"
    former_urls: Annotated[tuple[str, ...], parse.public_urls] = ()
    hsts: HstsScope = "subdomains"
    trusted_proxies: Annotated[tuple[parse.Network, ...], parse.networks] = ()
    sign_up: Literal["open", "invited", "closed"] = "invited"
    sign_in_limit: Limit = Limit(10, 900)
    sign_in_ceiling: Limit = Limit(100, 900)
    session_idle_days: Annotated[int, parse.whole_number(1, 3650)] = 30
    session_absolute_days: Annotated[int, parse.whole_number(1, 3650)] = 90
    stored_response_days: Annotated[int, parse.whole_number(1, 365)] = 14
    export_limit: Limit = Limit(5, 3600)
    smtp_url: Annotated[str, parse.smtp_url] = ""
    mail_from: Annotated[str, parse.mailbox] = ""
    mail_folder: str = ""
    mail_limit: Limit = Limit(10, 3600)
    mail_ceiling: Limit = Limit(100, 3600)
    invitation_limit: Limit = Limit(30, 86_400)
    link_email_limit: Limit = Limit(200, 86_400)
    feedback_limit: Limit = Limit(10, 3600)
    support_email: Annotated[str, parse.mailbox] = ""
    terms_version: str = "1"
    terms_url: Annotated[str, parse.http_url] = ""
    privacy_url: Annotated[str, parse.http_url] = ""
    google_client_id: str = ""
    google_client_secret: str = ""
    google_issuer: Annotated[str, parse.http_url] = "https://accounts.google.com"
    ai_url: Annotated[str, parse.api_url] = ""
    ai_key: str = ""
    ai_model: str = ""
    ai_provider: Literal["", "openai", "anthropic"] = ""
    ai_output: Literal["json", "schema", "text"] = "json"
    ai_timeout: Annotated[float, parse.whole_number(1, 600)] = 30
    ai_at_once: Annotated[int, parse.whole_number(1, 100)] = 4
    ai_synthesis_limit: Limit = Limit(5, 3600)
    ai_draft_limit: Limit = Limit(20, 3600)
    stripe_secret_key: str = ""
    stripe_webhook_secret: str = ""
    stripe_price: str = ""
    stripe_api_url: Annotated[str, parse.http_url] = ""
    pro_purchase: bool = True
    default_plan: Literal["", "free", "pro"] = ""
    workshops_per_account: Annotated[int, parse.whole_number(1, 1_000_000)] = 20
    free_data_mib: Annotated[int, parse.whole_number(1, 1_000_000)] = 200
    pro_data_mib: Annotated[int, parse.whole_number(1, 1_000_000)] = 2048
    metrics_token: str = ""
    backup_folder: str = ""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    access_log: bool = False
    webhook_loopback: bool = False

    @property
    def is_secure(self) -> bool:
        """Whether browsers reach the service over https, so that cookies can be `Secure`."""
        return self.public_url.startswith("https://")

    @property
    def has_mail_server(self) -> bool:
        """Whether emails reach anybody. Without an SMTP server they are files on this machine."""
        return bool(self.smtp_url)

    @property
    def push_contact(self) -> str:
        """How a push service reaches the host (RFC 8292)."""
        # Most servers are started without it.
        from email.utils import parseaddr

        address = parseaddr(self.support_email)[1]
        return f"mailto:{address}" if address else self.public_url

    @property
    def session_life(self) -> SessionLife:
        return SessionLife(self.session_idle_days * 86_400, self.session_absolute_days * 86_400)

    @property
    def mail_path(self) -> Path:
        """The folder that emails are written to without an SMTP server; by default `mail` beside the database."""
        if self.mail_folder:
            return Path(self.mail_folder)
        is_file = self.database_url.startswith("sqlite:///")
        return (
            Path(unquote(self.database_url.removeprefix("sqlite:///"))).parent if is_file else Path("data")
        ) / "mail"

    @property
    def email_limits(self) -> EmailLimits:
        return EmailLimits(
            self.mail_limit, self.mail_ceiling, self.invitation_limit, self.feedback_limit, self.link_email_limit
        )

    @property
    def sign_up_rules(self) -> SignUpRules:
        return SignUpRules(self.sign_up, self.terms_version)

    @property
    def plan_without_grant(self) -> WorkshopPlan:
        """The plan of workshops that have none of their own: where none can be bought, everybody has the larger one."""
        return self.default_plan or ("free" if self.stripe_secret_key else "pro")

    @property
    def has_plans(self) -> bool:
        """Whether workshops are on different plans. Without, the pages show neither plans nor their limits."""
        return bool(self.stripe_secret_key) or self.plan_without_grant == "free"

    @property
    def plan_rules(self) -> PlanRules:
        return PlanRules(
            self.plan_without_grant, self.workshops_per_account, self.free_data_mib * MIB, self.pro_data_mib * MIB
        )

    @property
    def ai_limits(self) -> AiLimits:
        return AiLimits(self.ai_synthesis_limit, self.ai_draft_limit)

    @property
    def sign_in_limits(self) -> SignInLimits:
        return SignInLimits(self.sign_in_limit, self.sign_in_ceiling)


def load(
    environment: Mapping[str, str] | None = None,
    file: Path = Path(".env"),
    *,
    host: str | None = None,
    port: int | None = None,
) -> Settings:
    """The settings of `environment` (by default the process's own) and `file`. Raises BadSetting.

    `host` and `port` take precedence over both. The public URL follows them where it is not set.
    """
    try:
        of_file = read_env_file(file)
    except ValueError as error:
        raise BadSetting(str(error)) from None
    own = {
        name: text
        for name, text in (os.environ if environment is None else environment).items()
        if not _is_of_container(name, text)
    }
    values = _parsed(of_file | own)
    values |= {name: given for name, given in (("host", host), ("port", port)) if given is not None}
    if "public_url" not in values:
        values["public_url"] = local_url(values.get("host", Settings().host), values.get("port", Settings().port))
    _require_other_hosts(values)
    return Settings(**values)


def _require_other_hosts(values: Mapping[str, Any]) -> None:
    """Raises BadSetting for a former URL with the host and port of the public one: it would redirect to itself."""
    for url in values.get("former_urls", ()):
        if parse.host_and_port(url) == parse.host_and_port(values["public_url"]):
            raise BadSetting(f"{PREFIX}FORMER_URLS: {url} has the host and port of {PREFIX}PUBLIC_URL")


def local_url(host: str, port: int) -> str:
    """The URL at which this machine reaches a server that listens on `host` and `port`."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not listened on
    # Browsers leave the standard port out of the Origin, with which the public URL is compared.
    return f"http://{f'[{here}]' if ':' in here else here}" + (f":{port}" if port != 80 else "")


def _is_of_container(name: str, text: str) -> bool:
    """Whether Kubernetes set the variable for a service, such as BACKBENCH_PORT=tcp://10.96.0.17:8000."""
    is_address = name.startswith(PREFIX) and name.endswith("_PORT") and _SERVICE_ADDRESS.fullmatch(text) is not None
    return is_address or _SERVICE_NAME.fullmatch(name) is not None


def _parsed(texts: Mapping[str, str]) -> dict[str, Any]:
    """The values of fields, from the texts of variables. Raises BadSetting."""
    values: dict[str, Any] = {}
    for name, text in texts.items():
        if not name.startswith(PREFIX):
            continue
        field = name.removeprefix(PREFIX).lower()
        if field not in _PARSERS:
            raise BadSetting(_unknown(name))
        # Empty counts as not set: compose files and units write a setting that is left open like this.
        if not text.strip():
            continue
        try:
            values[field] = _PARSERS[field](text.strip())
        except ValueError as error:
            raise BadSetting(f"{name}{_quoted(field, text)} is not understood: {error}") from None
    return values


def _unknown(name: str) -> str:
    # Imported here: only a failed start needs it.
    from difflib import get_close_matches

    known = [field.upper() for field in _PARSERS]
    for similar in get_close_matches(name.removeprefix(PREFIX), known, n=1, cutoff=0.75):
        return f"{name} is not a setting; did you mean {PREFIX}{similar}?"
    return f"{name} is not a setting"


def _quoted(field: str, text: str) -> str:
    """The value for the message; empty where it may hold a password or a key."""
    may_be_secret = _PARSERS[field] in (parse.text, parse.database_url, parse.smtp_url) or "@" in text
    return "" if may_be_secret else f"={text!r}"


def _parser_of(hint: Any) -> Callable[[str], Any]:
    if get_origin(hint) is Annotated:
        parser: Callable[[str], Any] = get_args(hint)[1]
        return parser
    if get_origin(hint) is Literal:
        return parse.one_of(*get_args(hint))
    return _PARSERS_BY_TYPE[hint]


_PARSERS_BY_TYPE: dict[type, Callable[[str], Any]] = {str: parse.text, bool: parse.switch, Limit: parse.limit}
_PARSERS = {field: _parser_of(hint) for field, hint in get_type_hints(Settings, include_extras=True).items()}
