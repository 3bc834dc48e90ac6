"""Prose about nothing in particular, such as every website is full of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

__all__ = ["THEMES", "filler"]

THEMES: dict[str, tuple[str, ...]] = {
    "hours": (
        "We are open from Tuesday to Saturday between ten and five.",
        "The office closes early on the last Friday of every month.",
        "Groups of more than ten should tell us a week ahead.",
        "Please ring the bell twice, because the door is heavy and the hall is long.",
        "On public holidays a note on the door says when we will be back.",
    ),
    "letter": (
        "Our letter goes out four times a year and costs nothing.",
        "Whoever no longer wants the letter writes one line and is taken off the list.",
        "The last issue was late because the printer moved to another street.",
        "Readers send us corrections, and we are thankful for every one.",
        "Back issues are kept in a box beside the window.",
    ),
    "travel": (
        "The slow train stops at every village and is the better choice for looking out.",
        "A ticket for the whole day is cheaper than two single ones.",
        "From the station it is a walk of twelve minutes, mostly downhill.",
        "Take the bus on the far side of the square and leave it at the old mill.",
        "Travellers with much luggage will find lockers behind the kiosk.",
        "The inn has nine rooms, and those at the back are quiet.",
    ),
    "garden": (
        "This year the beans came early and the lettuce bolted.",
        "Water in the evening, when the soil can keep what it is given.",
        "A wheelbarrow with a flat wheel is worse than none.",
        "The neighbours share a ladder, a long hose and most of their opinions.",
        "Compost wants air, patience and now and then a spade.",
    ),
    "money": (
        "Prices include tax; postage is added when the parcel is weighed.",
        "The annual accounts can be read at the front desk.",
        "A small gift covers the heating, a larger one the roof.",
        "Invoices are sent on paper unless you ask for something else.",
        "The committee agreed to spend less on signs and more on chairs.",
    ),
    "website": (
        "This page was moved from the old server, and some pictures are still missing.",
        "If a link does not work, tell the webmaster which one it was.",
        "The search box finds whole words only.",
        "We count visitors, but we do not ask who they are.",
        "Best viewed with a window that is wide enough.",
        "The guest book was closed after too many strangers advertised in it.",
    ),
    "town": (
        "The market on the square begins at seven and is over by noon.",
        "Road works on Mill Lane will go on until the end of the month.",
        "The council meets in public, and the minutes are read aloud.",
        "Lost umbrellas can be collected from the library.",
        "Parking behind the town hall is free for the first hour.",
        "The swimming pool opens again when the tiles have been mended.",
    ),
    "evening": (
        "Tea and biscuits are served in the interval.",
        "The lecture lasts an hour, and questions may take another.",
        "Chairs in the front row are kept for people who hear badly.",
        "Tickets that are not collected by half past seven go to those who wait.",
        "Afterwards the hall has to be swept, and helpers are welcome.",
    ),
    "pantry": (
        "Keep the jar in a cool dark place and use it within a week.",
        "An onion, a little butter and half an hour are a good beginning.",
        "Salt at the end, taste, and then leave the lid on.",
        "What is left over is better on the second day.",
        "A blunt knife is more dangerous than a sharp one.",
    ),
    "family": (
        "My sister took the photographs and my brother fixed the computer.",
        "We moved into this house when the children were small.",
        "The dog is asleep under the table while I write this.",
        "On Sundays we walk to the lake, whatever the weather does.",
        "I have wanted to write this down for years.",
        "Grandmother kept every letter, and the attic is full of them.",
    ),
    "notices": (
        "The caretaker is away because of illness, so the side door stays shut.",
        "After the disorder in the car park the committee asked for a second lamp.",
        "The lift waits for new software, as does everything else.",
        "A tree fell across the path, and a bird sings on what is left of it.",
        "The minutes are the only instrument by which we remember.",
        "Whoever left a dish in the kitchen may collect it on Monday.",
        "Sport shoes are not allowed on the wooden floor.",
        "The notice about the elm disease has been taken down by the wind.",
        "A vessel under the roof catches the rain, and somebody has to empty it.",
        "The governing body will look at the matter in spring.",
    ),
    "thanks": (
        "Many people have helped us, and most of them did not want to be named.",
        "We do not sell addresses and never have.",
        "Volunteers meet on the first Monday, and nobody has to bring anything.",
        "Suggestions are read by two of us before they are forgotten by the third.",
        "Copies may be made for schools without asking.",
    ),
}
"""Sentences by what they are about."""


def filler(rng: Random, sentences: int) -> str:
    """Return a paragraph of about this many general sentences, of one or two themes."""
    themes = rng.sample(sorted(THEMES), 2)
    pool = [sentence for theme in themes for sentence in THEMES[theme]]
    return " ".join(rng.sample(pool, min(sentences, len(pool))))
