"""The words that carry no content: function words of four languages, the scaffolding of questions.

Words that one language uses as glue and English as content (`die`, `war`, `man`, `son`) stand
apart: they are dropped only from a text whose other words say that it isn't English.
"""

from __future__ import annotations

from typing import Final

_ENGLISH = """
a about above across after afterwards again against ago all almost along already also although
always am among an and another any anybody anyhow anyone anything anyway anywhere are aren't
around as at away back be became because become becomes been before beforehand began behind
being below beside besides between beyond both but by came can can't cannot could couldn't did
didn't do does doesn't doing don't done down during each either else elsewhere enough even ever
every everybody everyone everything everywhere except few for from further furthermore get gets
getting go goes going gone got had hadn't has hasn't have haven't having he he'd he'll he's
hence her here here's hers herself him himself his how however i i'd i'll i'm i've if in indeed
instead into is isn't it it'd it'll it's its itself just least less let let's like lot lots made
make makes making many may maybe me might mightn't mine more moreover most mostly much must
mustn't my myself near nearly neither never nevertheless no nobody none nor not nothing now
nowhere of off often oh ok okay on once one ones only onto or other others otherwise ought our
ours ourselves out over own perhaps per please quite rather re really same say says said shall
shan't she she'd she'll she's should shouldn't since so some somebody somehow someone something
sometime sometimes somewhat somewhere soon still such take than thank thanks that that'd that's
the thee their theirs them themselves then thence there there's thereby therefore these they
they'd they'll they're they've thing things this those thou though through throughout thus thy
till to together too took toward towards under unless until up upon us used using usually very
via want wanted wants was wasn't we we'd we'll we're we've well went were weren't what what's
whatever when whenever where where's whereas wherever whether which whichever while who who'd
who'll who's whoever whole whom whose why will with within without won't would wouldn't yea yeah
yes yet you you'd you'll you're you've your yours yourself yourselves hath doth hast dost ye
today tonight yesterday tomorrow earlier later lately recently currently meanwhile finally im
ive dont didnt doesnt cant wont isnt wasnt
"""

# What a question is made of besides what it asks about.
_SCAFFOLDING = """
tell describe explain mention mentioned remember recall recollect think thinking thinks thought
thoughts feel feeling feelings feels felt believe believed opinion opinions view views know knew
known wonder happen happened happening happens experience write wrote written writing diary
entry entries note notes journal time times day kind sort type anything ever exactly mean means
meant regarding concerning
"""

_GERMAN = """
aber alle allem allen aller alles als also ander andere auch auf aus bei beim bist bis da damit
dann dass daß dein deine deinem deinen deiner dem denn deren des dessen dich dies diese diesem
diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch
euer für gegen gibt haben habe hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem
ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kein keine keinem keinen
keiner können könnte machen mal mein meine meinem meinen meiner mich mir mit muss musste müssen
nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit sich
sie sind so solche soll sollte sondern sonst über um und uns unser unsere unter viel vom von vor
wann warum wart waren weil weiter welche welchem welchen welcher welches wenn wer werde werden
wie wieder wird wo wollen wollte worden wurde wurden würde zu zum zur zwar zwischen warst
hattest wohin woher denke dachte denkst dachtest
"""

_FRENCH = """
à afin ai ainsi alors après as au aucun aussi autre aux avais avait avant avec avez avons ayant
beaucoup bien c ça car ce ceci cela celle celui ces cet cette ceux chez comme d dans de depuis
des deux dois doit donc du elle elles en encore entre es est et étaient étais était être eu eux
fait faut il ils j je jusque l la là le les leur leurs lorsque lui m ma mais mes moi mon même n
ne ni nos notre nous on ont ou où par parce pas pendant peu peut puis qu quand que quel quelle
quelles quels qui quoi s sa sans se sera ses si sont sous suis sur t ta te tes toi ton tous tout
toute toutes très tu un une vers voici vos votre vous y été jamais rien penses pensais pensé
"""

_SPANISH = """
al algo alguno algunos ante antes aquel aquella aquí así aunque cada como cómo con contra cual
cuál cuando cuándo de del desde donde dónde dos durante el él ella ellas ellos en entre eran
eres es esa esas ese eso esos esta está están estas este esto estos estoy fue fueron ha había
han has hasta hay he la las le les lo los mas más me mi mis mucho muy nada ni no nos nosotros
nunca o os otra otro para pero poco por porque qué que quien quién se sea según ser si sí sido
sobre son soy su sus también tan te tengo ti tiene todo todos tu tú tus un una uno unos usted
ustedes y ya yo piensas pensabas
"""

# Glue elsewhere, content in English. Not on the lists above for that reason.
_AMBIGUOUS = """
die war man hat den bin was an am hast son sin pour era comment fin ton sale tout main plus est
des dos ha der das dem sur car
"""

STOP_WORDS: Final = frozenset(
    (_ENGLISH + _SCAFFOLDING).split()
    + [word for word in (_GERMAN + _FRENCH + _SPANISH).split() if word not in _AMBIGUOUS.split()]
)
ENGLISH: Final = frozenset(_ENGLISH.split())
EACH_LANGUAGE: Final = tuple(
    frozenset(words.split()) for words in (_ENGLISH, _GERMAN, _FRENCH, _SPANISH)
)
FOREIGN: Final = frozenset((_GERMAN + _FRENCH + _SPANISH).split()) - ENGLISH
AMBIGUOUS: Final = frozenset(_AMBIGUOUS.split()) - ENGLISH

# By language. Left out is what another language has for something else: Italian `mai` (May), Dutch
# `noch` (still), Spanish `sin`, Finnish `en`, Romanian `nu`, Polish `tak`.
_NEGATIONS = """
    not never no none nothing nobody nowhere neither nor cannot without hardly
    nicht nichts nie niemals niemand niemandem niemanden nirgends weder kein keine keinem keinen
    keiner keines ohne
    ne pas jamais rien aucun aucune sans
    nunca nada ningún ninguno ninguna nadie tampoco
    não nem ninguém nenhum nenhuma sem
    non niente nulla nessun nessuno nessuna senza
    niet geen nooit niets niemand nergens zonder
    inte ej aldrig ingen inget inga ingenting utan
    ikke ikkje aldri intet uten uden
    ei eivät emme
    nie nigdy nic nikt żaden żadna żadne bez nikdy nikdo žádný žádná žádné
    не нет нету ни никогда ничего никто никого нельзя без ні немає ніколи нічого ніхто
    nem nincs nincsen soha semmi senki
    değil yok asla hiç
    δεν δε μην όχι
    لا لم لن ليس ليست לא אין
    không chưa chẳng tidak bukan belum jangan
"""
NEGATIONS: Final = frozenset(_NEGATIONS.split())

# Chinese and Japanese write no spaces: these are taken out before the rest is read as bigrams.
CJK_STOP_PHRASES: Final = (
    "什么时候", "为什么", "怎么样", "有没有", "是不是", "能不能", "告诉我",
    "什麼時候", "為什麼", "怎麼樣",
    "什么", "怎么", "哪里", "哪儿", "哪天", "多少", "关于", "觉得", "认为",
    "什麼", "怎麼", "哪裡", "關於", "覺得", "認為",
    "你们", "我们", "他们", "她们", "你們", "我們", "他們", "她們",
    "你", "我", "他", "她", "的", "吗", "呢", "吧", "嗎",
    "ですか", "ました", "でした", "について", "あなた", "です", "ます",
)  # fmt: skip
