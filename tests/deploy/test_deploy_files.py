"""Files of deploy/: what they name exists. Checks with further programs are in test_deploy_checks.py (`make prove`)."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from backbench.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file())
COMPOSE_FILES = sorted(DEPLOY.glob("compose/*/compose.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(DEPLOY)))
def test_files_name_only_existing_settings(file: Path) -> None:
    named = set(re.findall(rf"\b{PREFIX}([A-Z_]*[A-Z])\b", file.read_text("utf-8")))
    assert named - {name.upper() for name in Settings.__struct_fields__} == set()


def test_the_dockerfile_gives_no_root_and_checks_the_health() -> None:
    text = (DEPLOY / "docker" / "Dockerfile").read_text("utf-8")
    final = text.rpartition("\nFROM ")[2]
    assert "\nUSER 10001:10001\n" in final
    assert 'CMD ["backbench", "doctor", "--quick"]' in final
    assert re.findall(r"pip[^&]* install [^&]*?--requirement", text.replace("\\\n", "")), "locked packages"
    for command in re.findall(r"pip(?: --python \S+)? install[^&\n]*", text.replace("\\\n", " ")):
        assert "--require-hashes" in command or "--no-deps" in command, command


@pytest.mark.parametrize("file", COMPOSE_FILES, ids=lambda file: file.parent.name)
def test_compose_services_are_read_only_without_capabilities(file: Path) -> None:
    services = yaml.safe_load(file.read_text("utf-8"))["services"]
    own = {name: each for name, each in services.items() if each["image"].startswith("backbench:")}
    assert own
    for service in own.values():
        assert service["read_only"]
        assert (service["cap_drop"], service["security_opt"]) == (["ALL"], ["no-new-privileges:true"])
    addresses = [each["networks"]["inside"]["ipv4_address"] for each in services.values() if "caddy" in each["image"]]
    assert {each["environment"]["BACKBENCH_TRUSTED_PROXIES"] for each in own.values()} == set(addresses)


@pytest.mark.parametrize("file", COMPOSE_FILES, ids=lambda file: file.parent.name)
def test_compose_logs_are_bounded(file: Path) -> None:
    services = yaml.safe_load(file.read_text("utf-8"))["services"]
    assert {each["logging"]["options"]["max-size"] for each in services.values()} == {"10m"}


@pytest.mark.parametrize("file", COMPOSE_FILES, ids=lambda file: file.parent.name)
def test_compose_files_name_an_exact_version_of_each_image(file: Path) -> None:
    for service in yaml.safe_load(file.read_text("utf-8"))["services"].values():
        assert re.fullmatch(r"backbench:\S+|[\w/]+:\$\{\w+_TAG:-\d+\.\d+(\.\d+)?\}", service["image"])


@pytest.mark.parametrize("file", COMPOSE_FILES, ids=lambda file: file.parent.name)
def test_the_example_of_each_compose_file_sets_every_required_variable(file: Path) -> None:
    required = set(re.findall(r"\$\{(\w+):\?", file.read_text("utf-8")))
    given = re.findall(r"^(\w+)=", (file.parent / "example.env").read_text("utf-8"), re.MULTILINE)
    assert required <= set(given)


def test_the_chart_and_the_image_have_the_version_of_the_package() -> None:
    chart = yaml.safe_load((DEPLOY / "helm" / "backbench" / "Chart.yaml").read_text("utf-8"))
    dockerfile = (DEPLOY / "docker" / "Dockerfile").read_text("utf-8")
    from backbench import __version__

    assert (chart["version"], chart["appVersion"]) == (__version__, __version__)
    assert f"ARG VERSION={__version__}\n" in dockerfile


# Patroni


def test_times_of_patroni_fit_together() -> None:
    configuration = yaml.safe_load((DEPLOY / "patroni" / "config.yml").read_text("utf-8"))
    settings = configuration["bootstrap"]["dcs"]
    # What Patroni requires: the primary has two tries to renew its lock before the lock ends.
    assert settings["loop_wait"] + 2 * settings["retry_timeout"] <= settings["ttl"]
    # A standby that hangs delays commits by less than the 30 seconds after which a request gets 503.
    assert int(settings["postgresql"]["parameters"]["wal_sender_timeout"].removesuffix("s")) < 30
    assert settings["synchronous_mode"] is True


def test_every_file_of_patroni_names_the_same_machines() -> None:
    named = {
        name: set(re.findall(r"10\.0\.0\.2\d", (DEPLOY / "patroni" / name).read_text("utf-8")))
        for name in ("config.yml", "etcd.env", "haproxy.cfg")
    }
    assert len(set(map(frozenset, named.values()))) == 1, named


# Proxies


@pytest.mark.skipif(shutil.which("caddy") is None, reason="no Caddy on this machine")
def test_caddy_accepts_its_file(tmp_path: Path) -> None:
    file = DEPLOY / "proxy" / "Caddyfile"
    environment = {
        "HOME": str(tmp_path),
        "UPSTREAM": "10.0.0.11:8000 10.0.0.12:8000",
        "PATH": "/usr/bin:/usr/local/bin",
    }
    command = ["caddy", "adapt", "--adapter", "caddyfile", "--config", str(file)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert re.findall(r'"dial":"([^"]+)"', ran.stdout) == ["10.0.0.11:8000", "10.0.0.12:8000"]


@pytest.mark.skipif(shutil.which("haproxy") is None, reason="no HAProxy on this machine")
@pytest.mark.parametrize("folder", ["proxy", "patroni"])
def test_haproxy_accepts_its_file(tmp_path: Path, folder: str) -> None:
    # Without the certificate, which is not there.
    text = re.sub(r"bind :443 ssl .*", "bind :443", (DEPLOY / folder / "haproxy.cfg").read_text("utf-8"))
    (tmp_path / "haproxy.cfg").write_text(text)
    ran = subprocess.run(["haproxy", "-c", "-f", tmp_path / "haproxy.cfg"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "WARNING" not in ran.stderr


@pytest.mark.skipif(shutil.which("nginx") is None, reason="no nginx on this machine")
@pytest.mark.parametrize("name", ["nginx.conf", "nginx-one.conf"])
def test_nginx_accepts_its_file(tmp_path: Path, name: str) -> None:
    certificate = tmp_path / "office.pem"
    options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=office.example.com"]
    made = ["openssl", "req", *options, "-keyout", str(certificate), "-out", str(tmp_path / "made.pem")]
    subprocess.run(made, check=True, capture_output=True)
    certificate.write_bytes(certificate.read_bytes() + (tmp_path / "made.pem").read_bytes())
    text = (DEPLOY / "proxy" / name).read_text("utf-8")
    text = re.sub(r"(ssl_certificate(?:_key)?) .*;", rf"\1 {certificate};", text)
    (tmp_path / "nginx.conf").write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{text}\n}}\n")
    command = ["nginx", "-t", "-q", "-p", str(tmp_path), "-e", "stderr", "-c", str(tmp_path / "nginx.conf")]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
