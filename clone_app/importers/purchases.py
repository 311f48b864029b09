"""What was bought: Amazon's lists of orders, and what Google Play sold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from clone_app.entries import ImportProblem, Item, Moment, Skipped, clean_text
from clone_app.errors import ArchiveError
from clone_app.importers.claims import claim_those
from clone_app.importers.csvrows import Row
from clone_app.importers.csvsource import each, kind_of
from clone_app.importers.jsonstream import JsonFault, dict_of, elements, text_of
from clone_app.importers.notes import names
from clone_app.importers.stamps import iso_moment, made_key
from clone_app.protocols import Claim, Found, Member, Reading

# Retail.OrderHistory.1.csv since 2023; the order report before, of amazon.com alone; Digital Items.csv.
_KINDS = {
    "orders": ("order id", "order date", "product name", "total owed"),
    "report": ("order id", "order date", "title", "item total"),
    "digital": ("orderid", "orderdate", "asin"),
}
_SHORT = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})")  # the month first
_UNKNOWN = {"not available", "not applicable"}


@dataclass(frozen=True, slots=True)
class Purchases:
    """Read each thing bought, with its price and shop."""

    name: str = "purchases"
    title: str = "Purchases (Amazon, Google Play)"
    help: str = (
        "On Amazon: Account, Request your data, Your Orders; for Google Play: takeout.google.com, "
        "Google Play Store. Choose the zip you are sent."
    )
    endings: tuple[str, ...] = (".csv", ".json", ".zip", "/")

    def claim(self, members: Sequence[Member]) -> Claim | None:
        """Claim tables with the columns of orders, and Google's list by its keys."""
        return claim_those(members, _kind, 0.95)

    def read(self, members: Sequence[Member], reading: Reading) -> Iterator[Found]:  # noqa: ARG002
        """Yield an item for each thing bought."""
        for member in members:
            kind = _kind(member) or "orders"
            if kind == "play":
                yield from _play(member)
            else:
                yield from each(member, _KINDS[kind], partial(_row, kind=kind))


PURCHASES = Purchases()


def _kind(member: Member) -> str:
    if member.path.lower().endswith(".json"):
        return "play" if names(member.head(), "purchaseHistory", "purchaseTime") == 2 else ""
    return kind_of(member, _KINDS)


def _row(row: Row, locator: str, *, kind: str) -> Found:
    product = row.first("product name", "productname", "title")
    if not product or product.casefold() in _UNKNOWN:
        return Skipped(locator, "an order of nothing that has a name")
    written = row.first("order date", "orderdate")
    moment = iso_moment(written)
    if kind == "report" and (found := _SHORT.fullmatch(written)):
        year = found[3] if len(found[3]) == 4 else f"20{found[3]}"
        moment = iso_moment(f"{year}-{int(found[1]):02d}-{int(found[2]):02d}")
    owed = row.first("total owed", "item total", "ourprice")
    currency = row.first("currency", "basecurrencycode", "ourpricecurrencycode")
    number = row.first("quantity", "original quantity", "quantityordered")
    status = row.first("order status", "orderstatus").casefold()
    return _bought(
        product,
        moment or Moment.unknown(),
        locator,
        key=row.first("order id", "orderid"),
        price="" if owed.casefold() in _UNKNOWN else f"{owed} {currency}".strip(),
        shop=row.first("website", "marketplace") or "Amazon",
        number=number,
        labels=("cancelled",) if status.startswith("cancel") else (),
    )


def _play(member: Member) -> Iterator[Found]:
    index = -1
    try:
        for index, value in enumerate(elements(member)):
            locator = f"{member.locator}#{index}"
            bought = dict_of(dict_of(value).get("purchaseHistory"))
            product = text_of(dict_of(bought.get("doc")).get("title")).strip()
            if not product:
                yield ImportProblem(locator, "is no purchase, or one of nothing that has a name")
                continue
            yield _bought(
                product,
                iso_moment(bought.get("purchaseTime")) or Moment.unknown(),
                locator,
                price=text_of(bought.get("invoicePrice")),
                shop="Google Play",
            )
    except (JsonFault, ArchiveError) as fault:
        yield ImportProblem(f"{member.locator}#{index + 1}", str(fault))
        return
    if index < 0:
        yield Skipped(member.locator, "no purchases in it")


def _bought(
    product: str,
    moment: Moment,
    locator: str,
    *,
    key: str = "",
    price: str = "",
    shop: str = "",
    number: str = "",
    labels: tuple[str, ...] = (),
) -> Item:
    product = clean_text(product).strip()
    count = f"{number} × " if number.isdecimal() and int(number[:9]) > 1 else ""
    cost = f" for {price}" if price.strip() else ""
    text = f"Bought {count}{product}{cost} at {shop}"
    return Item(
        key=made_key("purchases", moment, key, moment.iso() or "", text),
        medium="purchase",
        moment=moment,
        text=text,
        mine=True,
        locator=locator,
        title=product[:300],
        labels=labels,
    )
