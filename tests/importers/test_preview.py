"""What an import would bring is shown beforehand."""

from __future__ import annotations

import json
from pathlib import Path

from clone_app.importers.archive import open_tree
from clone_app.importers.recognise import Preview, preview
from clone_app.importers.recognise import recognise as recognised
from clone_app.progress import Progress
from clone_app.protocols import Reading

from .dropped import MAIL, POST, TWEETS, folder_of


class TestPreview:
    def shown(self, home: Path, *me: str) -> Preview:
        with open_tree(home) as tree:
            return preview(recognised(tree), Reading(frozenset(me)), Progress())

    def test_it_counts_what_an_import_would_bring(self, tmp_path: Path) -> None:
        folder_of(
            tmp_path,
            {
                "2024-03-02.md": "Up.", "2022-01-01.md": "Rain.", "2025-12-31.md": "",
                "Books.md": "Emma", "tweets.js": TWEETS[:-1] + ", 5]", "cat.jpg": "x",
            },
        )  # fmt: skip
        shown = self.shown(tmp_path)
        assert (shown.items, shown.mine, shown.undated) == (4, 4, 1)
        assert (shown.first, shown.last) == ("2019-09-04", "2024-03-02")
        assert [one.importer for one in shown.recognised] == ["x", "diary"]
        assert shown.skipped == (("cat.jpg", "a picture"), ("2025-12-31.md", "an empty file"))
        assert shown.problems == (("tweets.js#1", "is no post, or one without text"),)

    def test_three_samples_are_spread_over_its_time(self, tmp_path: Path) -> None:
        days = {
            f"2024/{month:02d}/{day:02d}.md": f"{month}-{day}"
            for month in range(1, 13)
            for day in range(1, 29)
        }
        shown = self.shown(folder_of(tmp_path / "d", {**days}))
        months = [one.moment.local.month for one in shown.samples if one.moment.local]
        assert shown.items == 336
        assert len(months) == 3
        assert months[0] in {2, 3}
        assert months[1] in {6, 7}
        assert months[2] in {10, 11}

    def test_a_small_source_is_shown_whole(self, tmp_path: Path) -> None:
        shown = self.shown(folder_of(tmp_path / "d", {"2024-03-02.md": "Up."}))
        assert [one.text for one in shown.samples] == ["Up."]

    def test_it_asks_for_the_names_that_occur_most_in_mail(self, tmp_path: Path) -> None:
        mails = [("ann@x.org", "me@x.org"), ("bob@x.org", "me@x.org"), ("me@x.org", "ann@x.org")]
        text = "".join(
            MAIL.format(sender=sender, to=to, id=number)
            for number, (sender, to) in enumerate(mails)
        )
        folder_of(tmp_path, {"all.mbox": text})
        shown = self.shown(tmp_path)
        assert shown.authors == (("me@x.org", 3), ("ann@x.org", 2), ("bob@x.org", 1))
        assert self.shown(tmp_path, "me@x.org").mine == 1

    def test_it_says_what_will_be_kept_as_others_words_and_whose(self, tmp_path: Path) -> None:
        quoted = "Fine.\n\nOn Monday Ann wrote:\n> Tea?\n"
        mails = [
            ("ann@x.org", "Hi"),
            ("bob@x.org", "Ho"),
            ("ann@x.org", "Hu"),
            ("me@x.org", quoted),
        ]
        text = "".join(
            MAIL.format(sender=sender, to="x@x.org", id=number).replace("Hello.", body)
            for number, (sender, body) in enumerate(mails)
        )
        repost = json.dumps([{"tweet": POST}, {"tweet": {**POST, "full_text": "RT @kim: Rain"}}])
        tweets = f"window.YTD.tweets.part0 = {repost}"
        folder_of(tmp_path, {"all.mbox": text, "tweets.js": tweets, "2024-03-02.md": "Up."})
        shown = self.shown(tmp_path, "me@x.org")
        assert (shown.items, shown.mine, shown.others, shown.quoting) == (7, 3, 4, 1)
        assert shown.by == (("ann@x.org", 2), ("bob@x.org", 1), ("@kim", 1))
        everyone = self.shown(tmp_path)
        assert (everyone.mine, everyone.others) == (2, 5)
        assert ("me@x.org", 1) in everyone.by

    def test_nothing_dated_has_no_span(self, tmp_path: Path) -> None:
        shown = self.shown(folder_of(tmp_path / "d", {"Books.md": "Emma"}))
        assert (shown.first, shown.last, shown.undated) == (None, None, 1)
