"""What was bought at Amazon and in Google Play."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.purchases import PURCHASES
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[[str, str], list[Found]]
ORDERS = "Website,Order ID,Order Date,Currency,Total Owed,Quantity,Order Status,Product Name\n"


@pytest.fixture
def read(member_of: MakeMember) -> Read:
    """Return a function that reads one file, which must be recognised."""

    def read_file(path: str, text: str) -> list[Found]:
        member = member_of(path, text.encode())
        assert PURCHASES.claim([member]) is not None
        return list(PURCHASES.read([member], Reading()))

    return read_file


def only(found: list[Found]) -> Item:
    (item,) = found
    assert isinstance(item, Item)
    return item


def test_an_order_says_all_that_is_known(read: Read) -> None:
    text = ORDERS + 'Amazon.de,302-1,2021-03-04T05:06:07Z,EUR,"25,98",2,Closed,"Kettle, red"\n'
    item = only(read("Retail.OrderHistory.1.csv", text))
    assert item == Item(
        key=item.key,
        medium="purchase",
        moment=item.moment,
        text="Bought 2 × Kettle, red for 25,98 EUR at Amazon.de",
        mine=True,
        locator="Retail.OrderHistory.1.csv#1",
        title="Kettle, red",
    )
    assert item.moment.iso() == "2021-03-04T05:06:07+00:00"
    assert item.key.startswith("purchases:2021-03-04:")


def test_what_was_cancelled_is_labelled_and_a_date_nobody_can_read_not_invented(read: Read) -> None:
    text = ORDERS + "Amazon.de,302-1,soon,EUR,Not Available,1,Cancelled,Tea\n"
    item = only(read("a.csv", text))
    assert (item.text, item.labels) == ("Bought Tea at Amazon.de", ("cancelled",))
    assert item.moment.iso() is None


def test_the_older_report_writes_the_month_first(read: Read) -> None:
    text = "Order Date,Order ID,Title,Quantity,Item Total\n03/04/21,111-1,Tea,1,$4.50\n"
    item = only(read("orders.csv", text))
    assert (item.moment.iso(), item.text) == ("2021-03-04", "Bought Tea for $4.50 at Amazon")


def test_digital_items_are_read(read: Read) -> None:
    text = (
        "ASIN,Title,OrderId,OrderDate,OurPrice,BaseCurrencyCode,Marketplace\n"
        "B1,Emma,D01,2021-03-04T05:06:07Z,0.99,GBP,www.amazon.co.uk\nB2,Not Applicable,D02,,,,\n"
    )
    item, skipped = read("Digital Items.csv", text)
    assert isinstance(item, Item)
    assert item.text == "Bought Emma for 0.99 GBP at www.amazon.co.uk"
    assert isinstance(skipped, Skipped)


def test_google_plays_history_is_read(read: Read) -> None:
    bought = {
        "purchaseHistory": {
            "invoicePrice": "€2.99", "doc": {"documentType": "Books", "title": "Emma"},
            "purchaseTime": "2021-03-04T05:06:07.123Z",
        }
    }  # fmt: skip
    item, problem = read("Purchase History.json", json.dumps([bought, {}]))
    assert isinstance(item, Item)
    assert item.text == "Bought Emma for €2.99 at Google Play"
    assert item.moment.iso() == "2021-03-04T05:06:07+00:00"
    assert isinstance(problem, ImportProblem)


def test_equal_things_of_two_orders_are_two_and_a_second_import_has_the_same_keys(
    read: Read,
) -> None:
    rows = "".join(f"Amazon.de,{number},2021-03-04,EUR,1,1,Closed,Tea\n" for number in (1, 2))
    keys = [one.key for one in read("a.csv", ORDERS + rows) if isinstance(one, Item)]
    assert len(set(keys)) == 2
    again = [one.key for one in read("else/b.csv", ORDERS + rows) if isinstance(one, Item)]
    assert keys == again


def test_other_files_are_not_claimed(member_of: MakeMember) -> None:
    for path, text in (("a.csv", "Order ID,Name\n"), ("a.json", "[{}]"), ("a.txt", ORDERS)):
        assert PURCHASES.claim([member_of(path, text.encode())]) is None


@given(st.lists(st.lists(st.text(max_size=9), max_size=9), max_size=5), st.recursive(
    st.none() | st.text(max_size=5) | st.floats(), lambda one: st.lists(one, max_size=3)
    | st.dictionaries(st.sampled_from(["purchaseHistory", "doc", "title"]), one, max_size=3),
))  # fmt: skip
def test_any_rows_and_any_json_are_read(
    member_of: MakeMember, rows: list[list[str]], value: Any
) -> None:
    table = ORDERS + "\n".join(",".join(row) for row in rows)
    for path, text in (("a.csv", table), ("a.json", json.dumps([{"purchaseHistory": value}]))):
        member = member_of(path, text.encode("utf-8", "surrogatepass"))
        for one in PURCHASES.read([member], Reading()):
            assert isinstance(one, Item | ImportProblem | Skipped)
