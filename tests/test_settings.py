"""Settings: values, defaults, one clear line for an unknown or malformed one, no secrets in that line."""

from pathlib import Path

import pytest

from backbench.providers import checkout_availability, payments_of, require_complete_settings
from backbench.settings import BadSetting, Settings, load
from backbench.values.limits import Limit

NO_FILE = Path("/nonexistent/.env")


def given(**values: str) -> Settings:
    return load({f"BACKBENCH_{name}": value for name, value in values.items()}, NO_FILE)


def test_nothing_has_to_be_set() -> None:
    assert load({}, NO_FILE) == Settings()


def test_variables_of_other_programs_are_ignored() -> None:
    assert load({"PATH": "/bin", "DATABASE_URL": "mysql://elsewhere"}, NO_FILE) == Settings()


def test_an_empty_value_is_not_set() -> None:
    assert given(DATABASE_URL="", SIGN_IN_LIMIT=" ", TRUSTED_PROXIES="") == Settings()


def test_former_urls_are_separated_by_spaces_and_have_other_hosts() -> None:
    urls = given(PUBLIC_URL="https://new.example.com", FORMER_URLS="https://old.example.com/  http://192.0.2.7:8000")
    assert urls.former_urls == ("https://old.example.com", "http://192.0.2.7:8000")
    for same in ("http://new.example.com", "https://NEW.example.com:443", "http://new.example.com:80"):
        with pytest.raises(BadSetting, match=r"has the host and port of BACKBENCH_PUBLIC_URL"):
            given(PUBLIC_URL="https://new.example.com", FORMER_URLS=same)
    with pytest.raises(BadSetting, match="without a path"):
        given(FORMER_URLS="https://old.example.com/office")


def test_values_are_understood() -> None:
    settings = given(
        SIGN_IN_LIMIT="3/60",
        TRUSTED_PROXIES="10.0.0.0/8, ::1",
        PUBLIC_URL="https://office.example.com/",
        PRO_PURCHASE="off",
        SESSION_IDLE_DAYS="7",
    )
    assert settings.sign_in_limit == Limit(3, 60)
    assert settings.sign_in_ceiling == Limit(100, 900)
    assert [str(network) for network in settings.trusted_proxies] == ["10.0.0.0/8", "::1/128"]
    assert settings.public_url == "https://office.example.com"
    assert settings.is_secure
    assert not settings.pro_purchase
    assert settings.session_life.idle == 7 * 86_400


def test_addresses_of_databases_are_as_their_library_takes_them() -> None:
    for parameters in (
        "",
        "?sslmode=",
        "?sslmode=disable&passfile=",
        "?host=/run/postgresql",
        "?application_name=a%20b",
    ):
        url = f"postgresql://anna:a,b@h-1:5432,h_2/office{parameters}"
        assert given(DATABASE_URL=url).database_url == url


STRIPE = {"STRIPE_SECRET_KEY": "sk_1", "STRIPE_WEBHOOK_SECRET": "whsec_1", "STRIPE_PRICE": "price_1"}


@pytest.mark.parametrize(
    ("values", "plan", "has_plans"),
    [
        ({}, "pro", False),
        ({"DEFAULT_PLAN": "pro"}, "pro", False),
        ({"DEFAULT_PLAN": "free"}, "free", True),
        (STRIPE, "free", True),
        ({**STRIPE, "DEFAULT_PLAN": "pro"}, "pro", True),
    ],
)
def test_workshops_are_on_pro_where_nobody_sells_it(values: dict[str, str], plan: str, has_plans: bool) -> None:
    settings = given(**values)
    assert (settings.plan_rules.default, settings.has_plans) == (plan, has_plans)


def test_a_setting_that_does_not_exist_is_named() -> None:
    with pytest.raises(BadSetting, match=r"^BACKBENCH_COLOUR is not a setting$"):
        given(COLOUR="green")


def test_a_misspelt_setting_is_answered_with_the_right_name() -> None:
    with pytest.raises(BadSetting, match=r"^BACKBENCH_DATABSE_URL is not a .*; did you mean BACKBENCH_DATABASE_URL\?"):
        given(DATABSE_URL="sqlite:///data/backbench.db")


MALFORMED = [
    ("DATABASE_URL", "mysql://localhost/shop"),
    ("DATABASE_URL", "sqlite:app.db"),
    ("DATABASE_URL", "sqlite:///"),
    ("DATABASE_URL", "postgresql://localhost:many/shop"),
    ("FILES_URL", "/var/lib/files"),
    ("FILES_URL", "file://data/files"),
    ("FILES_URL", "s3:///prefix"),
    ("HOST", "http://127.0.0.1"),
    ("PORT", "65536"),
    ("PORT", "http"),
    ("PUBLIC_URL", "office.example.com"),
    ("PUBLIC_URL", "https://example.com/office"),
    ("PUBLIC_URL", "https://example.com:port"),
    ("TRUSTED_PROXIES", "10.0.0.0/33"),
    ("TRUSTED_PROXIES", "proxy"),
    ("SIGN_UP", "yes"),
    ("SIGN_IN_LIMIT", "10"),
    ("SIGN_IN_LIMIT", "0/900"),
    ("SIGN_IN_LIMIT", "10/-1"),
    ("SIGN_IN_LIMIT", "²/900"),
    ("SIGN_IN_CEILING", "many/900"),
    ("SESSION_IDLE_DAYS", "0"),
    ("SESSION_ABSOLUTE_DAYS", "forever"),
    ("SMTP_URL", "mail.example.com"),
    ("SMTP_URL", "smtp://"),
    ("SMTP_URL", "smtp://mail.example.com:submission"),
    ("MAIL_FROM", "office"),
    ("AI_PROVIDER", "oracle"),
    ("AI_URL", "http://anna@localhost/v1"),
    ("AI_TIMEOUT", "0.5"),
    ("GOOGLE_ISSUER", "accounts.google.com"),
    ("PRO_PURCHASE", "maybe"),
    ("LOG_LEVEL", "loud"),
    # A line break in the middle, such as a file's content that was passed on whole.
    ("AI_KEY", "one\ntwo"),
    ("SMTP_URL", "smtp://mail.example\n.com"),
]


@pytest.mark.parametrize(("name", "value"), MALFORMED)
def test_a_malformed_value_is_one_line_that_names_the_setting(name: str, value: str) -> None:
    with pytest.raises(BadSetting) as refused:
        given(**{name: value})
    line = str(refused.value)
    assert line.startswith(f"BACKBENCH_{name}")
    assert "is not understood: " in line
    assert "expected " in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://anna:hunter2@localhost/shop"),
        ("SMTP_URL", "smtp://anna:hunter2"),
        ("AI_URL", "http://anna:hunter2@localhost/v1"),
        ("AI_KEY", "hunter2\n3"),
    ],
)
def test_a_password_in_an_address_is_not_repeated(name: str, value: str) -> None:
    with pytest.raises(BadSetting) as refused:
        given(**{name: value})
    assert "hunter2" not in str(refused.value)


def test_lists_may_be_written_over_several_lines() -> None:
    assert len(given(TRUSTED_PROXIES="10.0.0.0/8,\n  ::1\n").trusted_proxies) == 2


def test_a_file_sets_what_the_environment_does_not(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(
        """
        # the office
        export BACKBENCH_PUBLIC_URL="https://office.example.com"
        BACKBENCH_SIGN_UP='open'
        BACKBENCH_MAIL_FROM=Our Workshop <office@example.com>
        BACKBENCH_LOG_LEVEL=debug
        """
    )
    settings = load({"BACKBENCH_LOG_LEVEL": "error"}, file)
    assert settings.public_url == "https://office.example.com"
    assert settings.sign_up == "open"
    assert settings.mail_from == "Our Workshop <office@example.com>"
    assert settings.log_level == "error"


def test_payments_without_their_library_stop_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = given(STRIPE_SECRET_KEY="x", STRIPE_WEBHOOK_SECRET="x", STRIPE_PRICE="x")
    assert payments_of(settings) is not None
    monkeypatch.setattr("backbench.providers.find_spec", lambda _: None)
    with pytest.raises(BadSetting, match="extra 'stripe'"):
        payments_of(settings)


@pytest.mark.parametrize("missing", ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE"])
def test_half_a_stripe_setup_stops_the_start(missing: str) -> None:
    names = {"STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE"}
    with pytest.raises(BadSetting, match=rf"^BACKBENCH_STRIPE_\w+ needs BACKBENCH_{missing}, too$"):
        require_complete_settings(given(**dict.fromkeys(sorted(names - {missing}), "x")))


@pytest.mark.parametrize("missing", ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"])
def test_half_a_google_setup_stops_the_start(missing: str) -> None:
    (present,) = {"GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"} - {missing}
    with pytest.raises(BadSetting, match=rf"^BACKBENCH_{present} needs BACKBENCH_{missing}, too$"):
        require_complete_settings(given(**{present: "x"}))


def test_without_a_payment_provider_there_is_no_checkout() -> None:
    assert checkout_availability(given()) == "payments_not_configured"
    assert checkout_availability(given(PRO_PURCHASE="off")) == "pro_purchase_disabled"


# Addresses


def test_the_public_url_follows_host_and_port_unless_it_is_set() -> None:
    assert given(PORT="8123").public_url == "http://127.0.0.1:8123"
    assert given(HOST="0.0.0.0").public_url == "http://127.0.0.1:8000"
    assert given(HOST="::1", PORT="80").public_url == "http://[::1]"
    assert given(PORT="8123", PUBLIC_URL="https://office.example.com").public_url == "https://office.example.com"
    options = load({"BACKBENCH_PORT": "8123"}, NO_FILE, host="office.local", port=8124)
    assert options.public_url == "http://office.local:8124"


# Kubernetes


def test_service_variables_of_kubernetes_are_ignored() -> None:
    injected = {
        "BACKBENCH_PORT": "tcp://10.96.0.17:8000",
        "BACKBENCH_SERVICE_HOST": "10.96.0.17",
        "BACKBENCH_SERVICE_PORT": "8000",
        "BACKBENCH_SERVICE_PORT_HTTP": "8000",
        "BACKBENCH_PORT_8000_TCP": "tcp://10.96.0.17:8000",
        "BACKBENCH_PORT_8000_TCP_PROTO": "tcp",
        "BACKBENCH_PORT_8000_TCP_PORT": "8000",
        "BACKBENCH_PORT_8000_TCP_ADDR": "10.96.0.17",
        "BACKBENCH_DB_SERVICE_HOST": "10.96.0.18",
        "BACKBENCH_DB_PORT": "tcp://10.96.0.18:5432",
    }
    assert load(injected, NO_FILE) == Settings()


@pytest.mark.parametrize("name", ["SERVICE", "SERVICE_HOSTS", "SERVICE_URL", "PORTS", "PORT_8000", "SMTP_PORT"])
def test_names_like_those_of_kubernetes_are_not_settings(name: str) -> None:
    with pytest.raises(BadSetting, match=f"^BACKBENCH_{name} is not a setting"):
        given(**{name: "8000"})
