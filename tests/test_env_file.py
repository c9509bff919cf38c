"""`.env` files: quotes, comments, line ends, and one clear line for what is not NAME=value."""

from pathlib import Path

import pytest

from backbench.env_file import read_env_file
from backbench.settings import BadSetting, load


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / ".env"


def value_of(file: Path, written: str) -> str:
    file.write_text(f"BACKBENCH_AI_KEY={written}\n")
    return read_env_file(file)["BACKBENCH_AI_KEY"]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("plain", "plain"),
        ("  spaces around  ", "spaces around"),
        ("two  words", "two  words"),
        ("'single quoted'", "single quoted"),
        ('"double quoted"', "double quoted"),
        ("' kept spaces '", " kept spaces "),
        ("''", ""),
        # Quotes are removed in pairs only.
        ("pass'word", "pass'word"),
        ('password"', 'password"'),
        ('it\'s "it"', 'it\'s "it"'),
        ('"it\'s"', "it's"),
        ("'say \"hi\"'", 'say "hi"'),
        (r"'it\'s'", "it's"),
        (r'"a \" b"', 'a " b'),
        # A comment starts at a # after a space.
        ("pass#word", "pass#word"),
        ("#word", "#word"),
        ("value # comment", "value"),
        ("value\t# comment", "value"),
        ("'a # b' # comment", "a # b"),
        ('"a # b"# comment', "a # b"),
        (" # comment", ""),
        # Nothing is interpolated.
        ("a$HOME", "a$HOME"),
        ("a${HOME}b", "a${HOME}b"),
        ('"${HOME:-x}"', "${HOME:-x}"),
        # Backslashes are escapes between quotes only.
        (r"c:\new", r"c:\new"),
        (r"'c:\new'", r"c:\new"),
        (r"'c:\\new'", r"c:\new"),
        (r'"c:\\new"', r"c:\new"),
        ("a=b==", "a=b=="),
        ("zażółć", "zażółć"),
    ],
)
def test_quotes_comments_and_escapes(file: Path, written: str, value: str) -> None:
    assert value_of(file, written) == value


@pytest.mark.parametrize(
    "content",
    [
        b"A=1\nB=2\n",
        b"A=1\r\nB=2\r\n",
        b"A=1\rB=2",
        b"\xef\xbb\xbfA=1\nB=2",
        b"\n\n  A=1\n\n\tB = 2  ",
        b"export A=1\nexport  B=2\n",
        b"# A=0\n   # B=0\nA=1\n#\nB=2\n# C=3",
        b"A=0\nA=1\nB=2\n",
    ],
)
def test_lines(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert read_env_file(file) == {"A": "1", "B": "2"}


@pytest.mark.parametrize("content", [b"", b"\n", b"# nothing\n", b"\xef\xbb\xbf"])
def test_an_empty_file_sets_nothing(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert read_env_file(file) == {}


def test_a_file_that_does_not_exist_sets_nothing(file: Path) -> None:
    assert read_env_file(file) == {}
    file.mkdir()
    assert read_env_file(file) == {}


@pytest.mark.parametrize(
    "line",
    [
        "A",
        "export A",
        "=1",
        "A 1",
        "A B=1",
        'A="1',
        "A='1",
        "A='1\"",
        'A="1" 2',
        "A='it's'",
        "; A=1",
        # Read on, the value would take in the setting below it.
        'A="1\nB="2"',
        'A="1\n2"',
    ],
)
def test_a_malformed_line_is_named_by_its_number(file: Path, line: str) -> None:
    file.write_text(f"FIRST=1\n# comment\n\n\n  {line}\nLAST=1\n")
    with pytest.raises(ValueError, match="expected NAME=value on one line") as raised:
        read_env_file(file)
    assert str(raised.value).startswith(f"{file}:5 is not understood: ")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [b"\xff\xfeA\x00=\x001\x00", b"A=\xff"])
def test_a_file_that_is_not_utf_8_is_refused(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(ValueError, match="cannot be read"):
        read_env_file(file)


def test_a_malformed_file_stops_the_start(file: Path) -> None:
    file.write_text("BACKBENCH_AI_KEY='hunter2\n")
    with pytest.raises(BadSetting, match=r"\.env:1 is not understood") as raised:
        load({}, file)
    assert "hunter2" not in str(raised.value)


def test_an_escape_that_makes_a_line_break_is_refused(file: Path) -> None:
    file.write_text('BACKBENCH_MAIL_FOLDER="c:\\new"\n')
    with pytest.raises(BadSetting, match=r"^BACKBENCH_MAIL_FOLDER is not understood: expected one line"):
        load({}, file)


def test_names_of_other_programs_are_ignored(file: Path) -> None:
    file.write_text('POSTGRES_PASSWORD="a\\nb"\nBACKBENCH_SIGN_UP=open\n')
    assert load({}, file).sign_up == "open"


def test_the_common_subset_of_env_files_and_systemd(file: Path) -> None:
    """systemd reads `EnvironmentFile=` by rules of its own; these lines mean the same to both."""
    file.write_text(
        """# comment
BACKBENCH_PUBLIC_URL=https://office.example.com
BACKBENCH_MAIL_FROM=Our Workshop <office@example.com>
BACKBENCH_AI_KEY='a # b " $c'
BACKBENCH_METRICS_TOKEN="it's \\\\ \\" one"
BACKBENCH_SUPPORT_EMAIL=
"""
    )
    settings = load({}, file)
    assert settings.public_url == "https://office.example.com"
    assert settings.mail_from == "Our Workshop <office@example.com>"
    assert settings.ai_key == 'a # b " $c'
    assert settings.metrics_token == "it's \\ \" one"
    assert settings.support_email == ""
