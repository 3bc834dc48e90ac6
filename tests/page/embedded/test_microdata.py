"""Microdata as people write it, and what the reader makes of it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.page.embedded.microdata import MAX_PROPERTIES, microdata
from tests.page.embedded.graphs import PAGE, canonical, tree, turtle

if TYPE_CHECKING:
    from lxml.etree import _Element


def read(markup: str, base: str = PAGE) -> set[str]:
    return canonical(microdata(tree(markup), base, []))


def test_an_article_with_its_author() -> None:
    page = """
    <article itemscope itemtype="http://schema.org/NewsArticle" itemid="#article">
      <h1 itemprop="headline">River floods town</h1>
      <p>By <span itemprop="author" itemscope itemtype="http://schema.org/Person">
        <a itemprop="url" href="/ann"><span itemprop="name">Ann Lee</span></a></span>,
        <time itemprop="datePublished" datetime="2024-02-05">Monday</time></p>
      <img itemprop="image" src="flood.jpg" alt="">
    </article>"""
    assert read(page) == turtle("""
        <#article> a schema:NewsArticle ; schema:headline "River floods town" ;
            schema:author [ a schema:Person ; schema:url </ann> ; schema:name "Ann Lee" ] ;
            schema:datePublished "2024-02-05"^^xsd:date ; schema:image <flood.jpg> .""")


def test_a_product_with_an_offer_and_a_rating() -> None:
    page = """
    <div itemscope itemtype="http://schema.org/Product"><b itemprop="name">Anvil</b>
      <div itemprop="offers" itemscope itemtype="http://schema.org/Offer">
        <span itemprop="priceCurrency" content="USD">$</span>
        <span itemprop="price" content="1000.00">1,000</span>
        <link itemprop="availability" href="http://schema.org/InStock">In stock</div>
      <div itemprop="aggregateRating" itemscope itemtype="http://schema.org/AggregateRating">
        <meter itemprop="ratingValue" value="4.5" max="5">good</meter>
        <data itemprop="reviewCount" value="35">many</data></div>
    </div>"""
    assert read(page) == turtle("""
        [] a schema:Product ; schema:name "Anvil" ;
          schema:offers [ a schema:Offer ; schema:priceCurrency "USD" ; schema:price "1000.00" ;
            schema:availability schema:InStock ] ;
          schema:aggregateRating [ a schema:AggregateRating ;
            schema:ratingValue "4.5"^^xsd:double ; schema:reviewCount 35 ] .""")


def test_breadcrumbs_whose_last_is_an_item_on_a_link() -> None:
    page = """
    <ol itemscope itemtype="http://schema.org/BreadcrumbList">
      <li itemprop="itemListElement" itemscope itemtype="http://schema.org/ListItem">
        <a itemprop="item" href="/books"><span itemprop="name">Books</span></a>
      <li itemprop="itemListElement" itemscope itemtype="http://schema.org/ListItem">
        <a itemprop="item" href="/sf" itemscope itemtype="http://schema.org/WebPage"
           itemid="/sf"><span itemprop="name">SF</span></a>
    </ol>"""
    assert read(page) == turtle("""
        [] a schema:BreadcrumbList ; schema:itemListElement
          [ a schema:ListItem ; schema:item </books> ; schema:name "Books" ],
          [ a schema:ListItem ; schema:item </sf> ] .
        </sf> a schema:WebPage ; schema:name "SF" .""")


@pytest.mark.parametrize(
    ("kind", "predicate"),
    [
        ("http://schema.org/Person", "http://schema.org/name"),
        ("http://schema.org/Person/Teacher", "http://schema.org/name"),
        ("https://schema.org/Person", "https://schema.org/name"),
        ("http://x.test/v#Book", "http://x.test/v#name"),
        ("http://x.test/v/Book", "http://x.test/v/name"),
        ("http://x.test/Book?a=/b", "http://x.test/name"),
        ("http://x.test", "http://x.test#name"),
        ("urn:x:Book", "urn:x:Book#name"),
        ("http://microformats.org/profile/hcard", "http://microformats.org/profile/hcard#name"),
    ],
)
def test_names_belong_to_the_vocabulary_of_the_type(kind: str, predicate: str) -> None:
    page = f"<p itemscope itemid=#a itemtype='{kind}'><b itemprop=name>x</b>"
    assert read(page) == turtle(f'<#a> a <{kind}> ; <{predicate}> "x" .')


def test_the_first_of_several_types_gives_the_vocabulary() -> None:
    page = """<p itemscope itemid=#a itemtype="Relative http://x.test/A http://schema.org/B">
        <b itemprop=name>x</b>"""
    assert read(page) == turtle('<#a> a <http://x.test/A>, schema:B ; <http://x.test/name> "x" .')


def test_an_item_without_type_has_the_vocabulary_of_the_item_around() -> None:
    page = """<p itemscope itemtype="http://schema.org/Event"><i itemprop=place itemscope>
        <b itemprop=name>x</b></i>"""
    assert read(page) == turtle("""
        [] a schema:Event ; schema:place [ schema:name "x" ] .""")


def test_names_without_any_type_belong_to_the_page() -> None:
    page = "<p itemscope><i itemprop='a b' itemscope><b itemprop=c>x</b></i>"
    assert read(page, f"{PAGE}#here") == turtle('[] <#a> _:b ; <#b> _:b . _:b <#c> "x" .')


def test_absolute_names_stay_and_names_no_iri_can_hold_are_escaped() -> None:
    page = """<p itemscope itemid=#a itemtype="http://schema.org/Event">
        <b itemprop="http://purl.org/dc/terms/title {x}">x</b>"""
    assert read(page) == turtle("""
        <#a> a schema:Event ; dc:title "x" ; <http://schema.org/%7Bx%7D> "x" .""")


def test_an_additional_type_of_schema_org_is_a_type_where_it_is_an_address() -> None:
    page = """<p itemscope itemid=#a itemtype="http://schema.org/Product">
        <link itemprop=additionalType href="http://x.test/Anvil">
        <meta itemprop=additionalType content="Anvil">"""
    assert read(page) == turtle("""
        <#a> a schema:Product, <http://x.test/Anvil> ;
            schema:additionalType <http://x.test/Anvil>, "Anvil" .""")


def test_an_empty_id_names_nothing() -> None:
    assert read("<p itemscope itemid=' '><b itemprop=a>x</b>") == turtle('[] <#a> "x" .')


def test_references_add_properties_from_elsewhere_and_missing_ones_do_no_harm() -> None:
    page = """
    <div itemscope itemid=#a itemref="more none brand"></div>
    <div id=more><p><b itemprop=size>10</b></p>
      <div itemscope itemid=#other><b itemprop=name>not of a</b></div></div>
    <div id=brand itemprop=brand itemscope itemid=#b><b itemprop=name>of b</b></div>
    <div id=more><b itemprop=size>of the second with that id</b></div>"""
    assert read(page) == turtle("""
        <#a> <#size> "10" ; <#brand> <#b> . <#b> <#name> "of b" .
        <#other> <#name> "not of a" .""")


def test_properties_come_in_the_order_of_the_page() -> None:
    page = "<i id=r itemprop=a>1</i><p itemscope itemref=r><i itemprop=a>2</i></p>"
    values = [triple.object for triple in microdata(tree(page), PAGE, [])]
    assert values == [ox.Literal("1"), ox.Literal("2")]


def test_an_item_of_several_items_is_one_thing() -> None:
    page = """
    <p itemscope itemid=#a itemref=home></p><p itemscope itemid=#b itemref=home></p>
    <div id=home itemprop=lives itemscope><b itemprop=street>Avenue Q</b></div>"""
    assert read(page) == turtle('<#a> <#lives> _:home . <#b> <#lives> _:home . _:home <#street> "Avenue Q" .')


def test_circles_end() -> None:
    page = """
    <div itemscope itemid=#top itemref=x></div>
    <div id=x itemprop=a itemscope itemid=#x itemref=y></div>
    <div id=y itemprop=b itemscope itemid=#y itemref=x></div>"""
    assert read(page) == turtle("<#top> <#a> <#x> . <#x> <#b> <#y> . <#y> <#a> <#x> .")


@pytest.mark.parametrize(
    "page",
    [
        "<p id=x itemprop=a itemscope itemref=y></p><p id=y itemprop=b itemscope itemref=x></p>",
        "<div itemscope id=x itemref=x></div>",
        "<p itemprop=a>in no item</p>",
        "<p itemscope></p>",
        "<p itemscope><b itemprop=''>x</b></p>",
        "<template><p itemscope><b itemprop=a>x</b></p></template>",
        "<p>nothing</p>",
    ],
)
def test_what_no_top_level_item_has_is_left_out(page: str) -> None:
    assert not read(page)


def test_the_language_is_that_of_the_nearest_lang() -> None:
    page = """<html lang=en><p itemscope itemid=#a><b itemprop=a>x</b>
        <b lang=de-CH><i itemprop=b>x</i></b> <i lang="" itemprop=c>x</i>
        <i lang="a" itemprop=d>x</i> <meta itemprop=e content=x lang=fr>"""
    assert read(page) == turtle('<#a> <#a> "x"@en ; <#b> "x"@de-ch ; <#c> "x" ; <#d> "x" ; <#e> "x"@fr .')


NODES = st.lists(
    st.tuples(
        st.integers(0, 3),  # how many elements end before this one
        st.sampled_from(["", "itemscope", "itemprop", "itemscope itemprop"]),
        st.sampled_from(["", "a", "b", "c"]),
        st.sampled_from(["", "a", "b a", "c b", "x"]),
    ),
    max_size=14,
)


def page_of(nodes: list[tuple[int, str, str, str]]) -> str:
    """A page whose items are named #0, #1, …, and whose properties n0, n1, … ."""
    parts: list[str] = []
    opened = 0
    for number, (ends, kind, name, refers) in enumerate(nodes):
        closed = min(ends, opened)
        opened += 1 - closed
        attributes = kind.replace("itemprop", f"itemprop=n{number}")
        if "itemscope" in kind:
            attributes += f" itemid=#{number} itemref='{refers}'"
        parts.append("</div>" * closed + f"<div {attributes} {name and f'id={name}'}>")
    return "".join(parts)


def properties_by_the_standard(root: _Element, item: _Element) -> list[_Element]:
    """HTML Living Standard, 5.2.5, step by step, but for the order."""
    results: list[_Element] = []
    memory = [item]
    pending = list(item)
    for name in item.get("itemref", "").split():
        pending += [element for element in root.iter("div") if element.get("id") == name][:1]
    while pending:
        current = pending.pop()
        if current in memory:
            continue
        memory.append(current)
        if current.get("itemscope") is None:
            pending += list(current)
        if current.get("itemprop"):
            results.append(current)
    return results


@given(NODES)
def test_items_have_the_properties_that_the_standard_gives_them(nodes: list[tuple[int, str, str, str]]) -> None:
    root = tree(f"<html><body>{page_of(nodes)}")
    expected: set[tuple[str, str]] = set()
    waiting = [item for item in root.iter("div") if item.get("itemscope") is not None]
    waiting = [item for item in waiting if item.get("itemprop") is None]
    for item in waiting:  # grows by the items that it leads to
        for found in properties_by_the_standard(root, item):
            expected.add((PAGE + item.get("itemid", ""), f"{PAGE}#{found.get('itemprop')}"))
            if found.get("itemscope") is not None and found not in waiting:
                waiting.append(found)
    triples = microdata(root, PAGE, [])
    assert {(named(one.subject), one.predicate.value) for one in triples} == expected


def named(term: object) -> str:
    assert isinstance(term, ox.NamedNode)
    return term.value


def many(markup: str) -> list[ox.Triple]:
    return list(islice(microdata(tree(markup), PAGE, []), 1_000))


def test_nesting_to_any_depth_is_read() -> None:
    levels = 1_500
    assert len(many("<div itemscope>" + "<div itemprop=a itemscope>" * levels)) == 1_000


def test_shared_properties_are_looked_at_only_so_often() -> None:
    shared = "<div id=r>" + "<a itemprop=a href='http://['></a>" * 1_000 + "</div>"
    items = MAX_PROPERTIES // 1_000 + 1
    page = shared + "<p itemscope itemref=r></p>" * items + "<p itemscope><b itemprop=a>x</b></p>"
    assert many(page) == []


@pytest.mark.parametrize(
    ("page", "number"),
    [
        ("<p itemscope itemtype='Person http://['></p>", "2 values"),
        ("<p itemscope itemid='http://['></p>", "1 value"),
        ("<p itemscope><b itemprop='http://[ a'>x</b></p>", "1 value"),
        (f"<p itemscope><b itemprop='{'x' * 5_000}'>x</b></p>", "1 value"),
        ("<p itemscope><a itemprop=a href='http://['>x</a><img itemprop=a></p>", "1 value"),
        (f"<p itemscope><b itemprop=a>{'x' * 60_000}</b></p>", "1 value"),
    ],
)
def test_what_cannot_be_read_is_counted(page: str, number: str) -> None:
    problems: list[str] = []
    list(microdata(tree(page), PAGE, problems))
    assert problems == [f"{number} of its Microdata could not be read."]


def test_too_many_properties_are_told() -> None:
    problems: list[str] = []
    page = "<p itemscope>" + "<meta itemprop=a>" * (MAX_PROPERTIES + 1)
    list(microdata(tree(page), PAGE, problems))
    assert problems == ["Only the first 20,000 properties of Microdata were read."]


def test_a_text_in_properties_in_properties_is_not_read_again_and_again() -> None:
    assert len(many("<div itemscope>" + "<b itemprop=a>" * 1_000 + "x")) < 100


TAGS = st.sampled_from(["div", "a", "meta", "time", "data", "img", "template", "p", "object"])
ATTRIBUTES = st.sampled_from([
    "itemscope", "itemprop=a", "itemprop='b http://x.test/c'", "itemprop=''", "id=i", "id=j",
    "itemref='i j'", "itemref=i", "itemtype=http://schema.org/T", "itemtype='T #'", "itemid=#a",
    "itemid='http://['", "href=/x", "href='http://['", "src=", "content=x", "value=1",
    "datetime=2020", "lang=en", "lang='?'",
])  # fmt: skip
ELEMENTS = st.builds(
    lambda tag, attributes, end: f"<{tag} {' '.join(attributes)}>x" + (f"</{tag}>" if end else ""),
    TAGS,
    st.lists(ATTRIBUTES, max_size=5),
    st.booleans(),
)


@given(st.lists(ELEMENTS, max_size=12), st.sampled_from([PAGE, "", "no base", "http://["]))
def test_whatever_the_markup_nothing_is_raised_and_it_ends(parts: list[str], base: str) -> None:
    triples = list(microdata(tree(f"<html><body>{''.join(parts)}"), base, []))
    assert all(isinstance(triple, ox.Triple) for triple in triples)


@given(st.text(max_size=30))
def test_whatever_is_written_nothing_is_raised(text: str) -> None:
    quoted = text.replace('"', "")
    page = f"""<p itemscope itemid="{quoted}" itemtype="{quoted}" itemref="{quoted}">
        <a itemprop="{quoted}" href="{quoted}" lang="{quoted}">x</a>
        <b itemprop=a lang="{quoted}">{text}</b><time itemprop=b datetime="{quoted}"></time>"""
    list(microdata(tree(page), quoted, []))
