"""The English function words that carry no topic.

Only closed classes of words are listed (articles, pronouns, prepositions,
conjunctions, auxiliaries, a few adverbs of degree, place and time), in the
form that :func:`semcrawl.text.terms.tokens` gives them: lower-case, without a
possessive ``'s``. Words such as "home", "page" or "click" are frequent on the
web but can be a topic, so they stay; the background idf makes them light.
"""

from __future__ import annotations

__all__ = ["STOP_WORDS"]

_ARTICLES_AND_DETERMINERS = """
a an the this that these those each every either neither both all any some no none such
another other others same own few fewer less least more most much many several enough
"""

_PRONOUNS = """
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
one ones oneself who whom whose which what whoever whatever whichever
somebody someone something anybody anyone anything everybody everyone everything
nobody nothing
"""

_AUXILIARIES = """
be am is are was were been being do does did done doing have has had having
can could may might must shall should will would ought cannot
"""

_CONTRACTIONS = """
i'm i've i'd i'll we're we've we'd we'll you're you've you'd you'll he'd he'll she'd she'll
it'd it'll they're they've they'd they'll that'll that'd there'll who'd who'll who've what're
aren't isn't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't couldn't mayn't
mightn't mustn't shan't shouldn't won't wouldn't needn't ain't let o'clock
"""

_PREPOSITIONS = """
about above across after against along amid among amongst around as at before behind below
beneath beside besides between beyond by despite down during except for from in into like
near of off on onto out outside over past per since than through throughout till to toward
towards under until unto up upon via versus with within without
"""

_CONJUNCTIONS = """
and or nor but if then else because although though unless whereas whether while
so yet whenever wherever hence thus therefore however moreover nevertheless otherwise
"""

_ADVERBS = """
again ago almost already also always anyway anywhere even ever everywhere further here
how indeed instead just maybe meanwhile never not now nowhere often once only perhaps
quite rather really seldom sometimes somewhere somehow soon still there thereby too very
when where why hereby therein thereof whereby wherein etc
"""

STOP_WORDS: frozenset[str] = frozenset(
    word
    for group in (
        _ARTICLES_AND_DETERMINERS,
        _PRONOUNS,
        _AUXILIARIES,
        _CONTRACTIONS,
        _PREPOSITIONS,
        _CONJUNCTIONS,
        _ADVERBS,
    )
    for word in group.split()
)
"""English function words, lower-case."""
