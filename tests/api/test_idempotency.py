"""Idempotency-Key: a creating request that is sent again makes nothing twice."""

import asyncio

from backbench.storage import workshops
from tests.people import Shop, ids
from tests.pictures import png
from tests.uploads import form, post_form


async def test_a_repeated_request_is_answered_with_the_first_answer(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    path, body = f"/workshops/{anna.workshop}/orders", {"title": "Chair"}
    first = await anna.post(path, body, idempotency_key="one")
    again = await anna.post(path, body, idempotency_key="one")
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["idempotency-replayed"] == "true"
    assert ids((await anna.get(path)).json()["orders"]) == [first.json()["id"]]


async def test_twenty_parallel_twins_make_one_order(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    path, body = f"/workshops/{anna.workshop}/orders", {"title": "Chair"}
    answers = await asyncio.gather(*[anna.post(path, body, idempotency_key="twin") for _ in range(20)])
    assert {answer.status_code for answer in answers} <= {201, 409}
    made = {answer.json()["id"] for answer in answers if answer.status_code == 201}
    assert set(ids((await anna.get(path)).json()["orders"])) == made
    assert len(made) == 1


async def test_the_same_key_with_another_payload_is_refused(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    path = f"/workshops/{anna.workshop}/orders"
    await anna.post(path, {"title": "Chair"}, idempotency_key="k")
    answer = await anna.post(path, {"title": "Table"}, idempotency_key="k")
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_mismatch")


async def test_a_key_counts_for_its_path_and_its_account_alone(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    marek = await shop.member(anna)
    orders, estimates = f"/workshops/{anna.workshop}/orders", f"/workshops/{anna.workshop}/estimates"
    assert (await anna.post(orders, {"title": "x"}, idempotency_key="k")).status_code == 201
    assert (await marek.post(orders, {"title": "y"}, idempotency_key="k")).status_code == 201
    assert (await anna.post(estimates, {"name": "x"}, idempotency_key="k")).status_code == 201


async def test_nothing_is_kept_for_a_request_that_failed_validation(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    path = f"/workshops/{anna.workshop}/orders"
    assert (await anna.post(path, {"title": ""}, idempotency_key="k")).status_code == 400
    assert (await anna.post(path, {"title": "Chair"}, idempotency_key="k")).status_code == 201


async def test_a_former_member_gets_no_replay(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    marek = await shop.member(anna)
    path, body = f"/workshops/{anna.workshop}/orders", {"title": "Chair"}
    assert (await marek.post(path, body, idempotency_key="k")).status_code == 201
    await shop.db.write(lambda db: workshops.remove_member(db, anna.workshop, marek.uid))
    answer = await marek.post(path, body, idempotency_key="k")
    assert (answer.status_code, answer.content) == (403, b"")


async def test_a_replay_outlives_the_limit_that_its_first_request_used_up(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    path = f"/estimates/{(await anna.estimate())['id']}/confirm"
    answers = [await anna.post(path, idempotency_key=f"n{number}") for number in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert (await anna.post(path, idempotency_key="n3")).status_code == 409
    assert (await anna.post(path, idempotency_key="n2")).json() == answers[2].json()


async def test_a_secret_is_never_kept(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    body = {"name": "till", "scopes": ["orders:read"]}
    first = await anna.post("/me/api-keys", body, idempotency_key="k")
    again = await anna.post("/me/api-keys", body, idempotency_key="k")
    assert (again.status_code, again.json()["code"]) == (409, "already_created")
    async with shop.db.read() as db:
        kept = await db.all(str, "SELECT coalesce(body, '') FROM idempotency_keys WHERE account_id = :id", id=anna.uid)
    assert first.json()["secret"] not in "".join(kept)


async def test_a_key_that_is_too_long_is_refused(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    answer = await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "x"}, idempotency_key="k" * 256)
    assert answer.status_code == 400


async def test_a_repeated_upload_stores_one_file_and_tells_a_former_member_nothing(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    marek = await shop.member(anna)
    body = form(("category", "grid_tile_icon"), ("workshopId", anna.workshop), ("file", ("saw.png", png())))
    first = await post_form(marek, body, idempotency_key="k")
    assert first.status_code == 201, first.text
    assert (await post_form(marek, body, idempotency_key="k")).json() == first.json()
    assert len((await anna.get(f"/workshops/{anna.workshop}/files")).json()["files"]) == 1
    await shop.db.write(lambda db: workshops.remove_member(db, anna.workshop, marek.uid))
    assert (await post_form(marek, body, idempotency_key="k")).status_code == 403
