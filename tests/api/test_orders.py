"""Orders over HTTP: what the specification promises of the board."""

from tests.people import Shop, pointers


async def test_a_new_order_is_to_do_with_empty_notes(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    answer = await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "Oak table"})
    order = answer.json()
    assert answer.status_code == 201
    assert (order["status"], order["notes"], order["customerName"]) == ("todo", "", "")
    assert order["statusHistory"] == [{"status": "todo", "at": order["createdAt"]}]
    assert order["lastActivityAt"] == order["createdAt"]


async def test_an_order_reads_back_as_it_was_created(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    order = await anna.order(title='Stół "dębowy" \\ 🪚', customerName="Łucja")
    assert (await anna.get(f"/orders/{order['id']}")).json() == {"order": order}
    assert (await anna.get(f"/workshops/{anna.workshop}/orders")).json() == {"orders": [order]}


async def test_every_fault_of_a_body_is_named(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    answer = await anna.post(f"/workshops/{anna.workshop}/orders", {"title": "", "customerName": "a\nb"})
    assert pointers(answer) == ["/title", "/customerName"]
