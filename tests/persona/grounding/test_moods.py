"""What German, Chinese, French or Spanish wishes, supposes or nearly did is not told as a fact."""

from __future__ import annotations

import pytest

from clone_app.entries import Moment
from clone_app.persona.ground import Evidence, check


def carried(sentence: str, text: str) -> bool:
    one = Evidence(key="k", text=text, moment=Moment.unknown(), mine=True)
    return check(sentence, [one]).supported


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Beinahe hätte ich das Boot gekauft.", "Ich habe das Boot gekauft."),
        ("Ich wäre fast von der Leiter gefallen.", "Ich bin von der Leiter gefallen."),
        ("Ich bin beinahe nach Kiel gezogen.", "Ich bin nach Kiel gezogen."),
        ("Wenn ich mehr Geld hätte, würde ich das Boot kaufen.", "Ich habe mehr Geld."),
        ("Hätte ich Ove geheiratet, wäre ich Bäuerin.", "Ich habe Ove geheiratet."),
        ("Falls das Dach leckt, ziehe ich nach Kiel.", "Ich ziehe nach Kiel."),
        ("Vielleicht verkaufe ich das Haus am See.", "Ich verkaufe das Haus am See."),
        ("Mutter sagt, die Tapete sei hässlich.", "Die Tapete ist hässlich."),
        ("我差点买了那条绿色的船。", "我买了那条绿色的船。"),
        ("险些错过去青岛的火车。", "我错过去青岛的火车。"),
        ("如果有钱，我就买那条绿色的船。", "我买那条绿色的船。"),
        ("要是当时嫁给了小王，我现在就住在上海。", "我嫁给了小王。"),
        ("也许我会卖掉湖边的房子。", "我卖掉湖边的房子。"),
        ("下雨的话，我们就去湖边的房子。", "我们去湖边的房子。"),
        ("妈妈说那个墙纸很难看。", "那个墙纸很难看。"),
        ("J'ai failli acheter le bateau vert.", "J'ai acheté le bateau vert."),
        ("Casi compré el barco verde en Cádiz.", "Compré el barco verde en Cádiz."),
    ],
)
def test_what_is_supposed_or_nearly_so_is_no_fact(text: str, sentence: str) -> None:
    assert not carried(sentence, text)
    assert carried(text, text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Gestern habe ich das rote Boot gekauft.", "Ich habe das rote Boot gekauft."),
        ("Ich finde, die Tapete ist hässlich.", "Die Tapete ist hässlich."),
        ("我在青岛买了一条绿色的船。", "我买了一条绿色的船。"),
        ("我觉得那个墙纸很难看。", "那个墙纸很难看。"),
        ("那本小说很难看。", "那本小说很难看。"),
        ("The fast boat falls behind in the old harbour.", "The fast boat falls behind."),
    ],
)
def test_a_plain_fact_stays_one(text: str, sentence: str) -> None:
    assert carried(sentence, text)


def test_a_chinese_number_stands_in_the_item() -> None:
    assert carried("我在上海租了一间房，月租3000元。", "去年我在上海租了一间房，月租三千元。")
    assert not carried("我在上海租了一间房，月租五千元。", "去年我在上海租了一间房，月租三千元。")
    assert not carried("爸爸搬到青岛了。", "妈妈搬到青岛了，爸爸还住在老房子。")
