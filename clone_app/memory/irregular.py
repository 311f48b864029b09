"""Forms of a word that no stemmer joins: "ate" is a form of "eat", "children" of "child".

English only, since the stemmer is. Left out are forms that are words of their own more often than not:
"saw", "ground", "wound", "bore", "rose", "lay".
"""

from __future__ import annotations

from typing import Final

_FORMS: Final = """
arise arose arisen
awake awoke awoken
beat beaten
become became
begin began begun
bend bent
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
come came
creep crept
deal dealt
die died dying dies
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
dye dyed dyeing
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
free freed
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lead led
lean leant
leap leapt
learn learnt
leave left
lie lied lying lies
lend lent
light lit
lose lost
make made
mean meant
meet met
pay paid
prove proven
ride rode ridden
ring rang rung
rise risen
run ran
say said
see seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
smell smelt
speak spoke spoken
spend spent
spill spilt
spin spun
spoil spoilt
stand stood
steal stole stolen
stick stuck
sting stung
strike struck
swear swore sworn
sweep swept
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
tie tied tying ties
understand understood
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
write wrote written
child children
foot feet
goose geese
knife knives
leaf leaves
life lives
man men
mouse mice
tooth teeth
wife wives
woman women
"""
_FAMILIES: Final = tuple(tuple(line.split()) for line in _FORMS.split("\n") if line)
_FAMILY: Final = {form: family for family in _FAMILIES for form in family}


def base(word: str) -> str:
    """Return the word that a lower-case form belongs to, itself where it is none of these."""
    family = _FAMILY.get(word)
    return family[0] if family else word


def family(word: str) -> tuple[str, ...]:
    """Return a lower-case word with its irregular forms, itself first."""
    return (word, *(form for form in _FAMILY.get(word, ()) if form != word))
