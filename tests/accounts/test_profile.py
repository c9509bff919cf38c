"""Profile: the account's own name, email address, locale and sign-in methods."""

from typing import Any

from tests.people import App, Person, pointers


async def profile(person: Person) -> dict[str, Any]:
    body: dict[str, Any] = (await person.get("/me")).json()
    return body


async def field_errors(person: Person, body: Any) -> list[str]:
    before = await profile(person)
    found = pointers(await person.patch("/me", body))
    assert await profile(person) == before
    return found


async def test_a_profile_has_exactly_the_members_of_its_shape(app: App) -> None:
    anna = await app.person("Anna", locale="pl")
    response = await anna.get("/me")
    assert response.status_code == 200
    assert response.json() == {
        "name": "Anna",
        "email": anna.email,
        "locale": "pl",
        "signInMethods": ["password"],
    }


async def test_a_linked_google_account_is_a_way_to_sign_in(app: App) -> None:
    anna = await app.person("Anna")
    await app.db.write(
        lambda db: db.run(
            """
            INSERT INTO identities (issuer, subject, account_id, provider, linked_at)
            VALUES ('https://accounts.google.com', :uid, :uid, 'google', '2026-11-20T10:15:00.000Z')
            """,
            uid=anna.uid,
        )
    )
    assert (await profile(anna))["signInMethods"] == ["password", "google"]


async def test_an_edit_changes_only_the_fields_it_names(app: App) -> None:
    anna = await app.person("Anna")
    expected = await profile(anna)
    edits: list[dict[str, Any]] = [{"name": "Ewa"}, {"locale": "pl"}, {"name": "Anna", "locale": "en"}]
    for edit in edits:
        expected |= edit
        response = await anna.patch("/me", edit)
        assert (response.status_code, response.json()) == (200, expected)
        assert await profile(anna) == expected


async def test_an_edit_needs_a_field_and_rejects_unknown_ones(app: App) -> None:
    anna = await app.person("Anna")
    assert await field_errors(anna, {}) == [""]
    for field in ("email", "uid", "status", "signInMethods", "password", "Name"):
        assert await field_errors(anna, {"name": "Ewa", field: "x"}) == [f"/{field}"]


async def test_a_locale_is_en_or_pl(app: App) -> None:
    anna = await app.person("Anna")
    for wrong in ("de", "EN", "", "pl\n", None, 1):
        assert await field_errors(anna, {"locale": wrong}) == ["/locale"]


async def test_a_name_may_contain_letters_digits_spaces_some_signs_and_emoji(app: App) -> None:
    anna = await app.person("Anna")
    names = [
        "A",
        "x" * 100,
        "Łucja Żółć",
        "O'Neill-Smith, Jr. & Sons",
        "O’Neill",
        "Анна Ёлкина",
        "王小明",
        "أنّا",
        "e\u0301\u0302",
        "0123456789",
        "٣٤",
        "ﬁ ŉ",
        " ",
        "🪚",
        "👩‍🔧",
        "👍🏽",
        "🏳️‍🌈",
        "❤️ & ☎︎",
        "©®™",
        "\u200d",
        "\ufe0f",
        "🪚" * 100,
    ]
    for name in names:
        response = await anna.patch("/me", {"name": name})
        assert (response.status_code, (await profile(anna))["name"]) == (200, name)


async def test_a_name_may_contain_no_other_characters(app: App) -> None:
    anna = await app.person("Anna")
    for character in (
        '"', "<", ">", "/", "\\", "_", "@", "(", ")", "!", "?", ";", ":", "+", "=", "$", "€", "|", "`", "~", "^",
        "\t", "\n", "\x00", "\x7f", "\u00a0", "\u2028", "\u200b", "\ufeff", "²", "Ⅳ", "½", "–", "—", "‘", "…",
        "\ue000", "🇵", "\U000e0067",
    ):  # fmt: skip
        for name in (character, f"a{character}", f"{character}a"):
            assert set(await field_errors(anna, {"name": name})) == {"/name"}, repr(name)


async def test_a_name_has_1_to_100_characters(app: App) -> None:
    anna = await app.person("Anna")
    for wrong in ("", "x" * 101, "🪚" * 101, None, 1, ["x"]):
        assert await field_errors(anna, {"name": wrong}) == ["/name"]


async def test_other_members_see_a_new_name(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna, "Marek")
    await marek.patch("/me", {"name": "Marek Nowak"})
    members = (await anna.get(f"/workshops/{anna.workshop}")).json()["members"]
    assert [member["name"] for member in members] == ["Anna", "Marek Nowak"]
