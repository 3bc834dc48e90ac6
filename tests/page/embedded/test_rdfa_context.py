"""Who RDFa's statements are about: the rules of sections 7.5 of RDFa Core and 3.1 of HTML+RDFa.

Many of these were found by comparing with another reader, pyRdfa 3.6, on
thousands of random pages. Where the two differed, the recommendations decided.
"""

from __future__ import annotations

import pytest

from tests.page.embedded.graphs import read, turtle

RULES = {
    "about names the subject": ('<p about="#a" property="dc:title">t</p>', '<#a> dc:title "t" .'),
    "an empty about is the page": ('<div about="#a"><p about="" property="dc:title">t</p></div>', '<> dc:title "t" .'),
    "an about that names nothing is not there": (
        '<div about="#a"><p about="[nobody:x]" property="dc:title">t</p></div>',
        '<#a> dc:title "t" .',
    ),
    "property takes what a link leads to": ('<a property="dc:source" href="/x">t</a>', "<> dc:source </x> ."),
    "resource comes before href, and href before src": (
        (
            '<a property="dc:source" resource="/r" href="/h" src="/s"></a>'
            '<a property="dc:relation" href="/h" src="/s"></a>'
        ),
        "<> dc:source </r> ; dc:relation </h> .",
    ),
    "with content, href is the subject": ('<a property="dc:title" content="t" href="/x"></a>', '</x> dc:title "t" .'),
    "property without typeof does not change whom the inside is about": (
        '<a property="dc:source" href="/x"><b property="dc:title">t</b></a>',
        '<> dc:source </x> ; dc:title "t" .',
    ),
    "property with typeof does": (
        '<a property="dc:source" href="/x" typeof="foaf:Document"><b property="dc:title">t</b></a>',
        '<> dc:source </x> . </x> a foaf:Document ; dc:title "t" .',
    ),
    "typeof alone makes a new thing": (
        '<p typeof="foaf:Person"><b property="foaf:name">n</b></p>',
        '[] a foaf:Person ; foaf:name "n" .',
    ),
    "an empty typeof makes a thing without a type": (
        '<p typeof><b property="foaf:name">n</b></p>',
        '[] foaf:name "n" .',
    ),
    "typeof beside about is that thing's type": (
        '<p about="#a" typeof="foaf:Person" property="foaf:name">n</p>',
        '<#a> a foaf:Person ; foaf:name "n" .',
    ),
    "typeof beside rel is the type of the other end": (
        '<p rel="foaf:knows" typeof="foaf:Person"><b property="foaf:name">n</b></p>',
        '<> foaf:knows [ a foaf:Person ; foaf:name "n" ] .',
    ),
    "beside rel, property and typeof, the value is the typed thing": (
        '<p property="dc:creator" rel="foaf:maker" typeof="foaf:Person">n</p>',
        "<> dc:creator _:p ; foaf:maker _:p . _:p a foaf:Person .",
    ),
    "a typed body is the page": (
        '<body typeof="foaf:Document"><p property="dc:title">t</p></body>',
        '<> a foaf:Document ; dc:title "t" .',
    ),
    "a typed root is the page": (
        '<html typeof="foaf:Document" rel="dc:relation" resource="#r"></html>',
        "<> a foaf:Document ; dc:relation <#r> .",
    ),
    "a root with resource is about that": (
        '<html resource="#r"><p property="dc:title">t</p></html>',
        '<#r> dc:title "t" .',
    ),
    "rev turns the statement around": ('<a rev="foaf:made" href="/x">t</a>', "</x> foaf:made <> ."),
    "rel waits for each thing inside": (
        '<div rel="dc:subject"><p><a href="/1">1</a> <a href="/2">2</a></p></div>',
        "<> dc:subject </1>, </2> .",
    ),
    "rel takes a thing without a name inside": (
        '<div rel="foaf:knows"><p property="foaf:name">n</p></div>',
        '<> foaf:knows [ foaf:name "n" ] .',
    ),
    "rel with nothing inside says nothing": ('<div rel="foaf:knows"><p>n</p></div>', ""),
    "a language, a prefix or a vocabulary inside rel is no thing": (
        ('<div rel="foaf:knows"><p lang="de" prefix="x: y:" vocab="http://v.test/"><a href="/1">1</a></p></div>'),
        "<> foaf:knows </1> .",
    ),
    "a resource that names nothing is no thing": ('<div rel="foaf:knows"><p resource="[nobody:x]">n</p></div>', ""),
    "rel of unknown words still keeps the inside apart": (
        '<div about="#a" rel="unknown"><p property="foaf:name">n</p></div>',
        '[] foaf:name "n" .',
    ),
    "beside property, terms of rel are ignored": (
        '<a vocab="http://schema.org/" property="url" rel="friend" href="/x">t</a>',
        "<> schema:url </x> .",
    ),
    "beside property, CURIEs of rel count": (
        '<a property="dc:title" rel="friend foaf:page" href="/x">t</a>',
        '<> foaf:page </x> ; dc:title "t" .',
    ),
    "blank nodes keep their names across the page": (
        '<p about="_:a" property="foaf:name">n</p><p about="[_:a]" rel="foaf:knows" resource="_:">',
        '_:a foaf:name "n" ; foaf:knows [] .',
    ),
    "a blank node is no predicate": ('<p property="_:p">t</p><a rel="_:r" href="/x">t</a>', ""),
}


@pytest.mark.parametrize(("markup", "expected"), RULES.values(), ids=RULES)
def test_whom_statements_are_about(markup: str, expected: str) -> None:
    assert read(markup) == turtle(expected)


LISTS = {
    "one list from many elements": (
        ('<p about="#a"><b property="dc:creator" inlist>x</b><i rel="dc:creator" inlist resource="#y"></i></p>'),
        '<#a> dc:creator ("x" <#y>) .',
    ),
    "two subjects have two lists": (
        (
            '<p about="#a"><b property="dc:creator" inlist>x</b></p>'
            '<p about="#b"><b property="dc:creator" inlist>y</b></p>'
        ),
        '<#a> dc:creator ("x") . <#b> dc:creator ("y") .',
    ),
    "rel waits for the members of a list": (
        '<p rel="dc:creator" inlist><a href="/1"></a><a href="/2"></a></p>',
        "<> dc:creator (</1> </2>) .",
    ),
    "rel without members is the empty list": ('<p rel="dc:creator" inlist></p>', "<> dc:creator () ."),
    "a list inside a typed thing is that thing's": (
        ('<div property="dc:source" typeof="foaf:Document"><b property="dc:creator" inlist>x</b></div>'),
        '<> dc:source [ a foaf:Document ; dc:creator ("x") ] .',
    ),
    "a list inside rel belongs to the other end": (
        '<div about="#a" rel="foaf:knows"><b property="foaf:nick" inlist>x</b></div>',
        '<#a> foaf:knows [ foaf:nick ("x") ] .',
    ),
    "a list inside a member of the same list": (
        (
            '<div about="#a" rel="ex:p" prefix="ex: http://example.test/" inlist resource="#b">'
            '<b property="ex:p" inlist>x</b></div>'
        ),
        '<#a> ex:p (<#b>) . <#b> ex:p ("x") .',
    ),
}


@pytest.mark.parametrize(("markup", "expected"), LISTS.values(), ids=LISTS)
def test_lists(markup: str, expected: str) -> None:
    assert read(markup) == turtle(expected)
