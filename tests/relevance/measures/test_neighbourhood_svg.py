from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.plots.neighbourhood import neighbourhood_svg
from semcrawl.relevance.concept_tree import Branch, neighbourhood

if TYPE_CHECKING:
    from semcrawl.topics import ConceptGraph

SVG = "{http://www.w3.org/2000/svg}"


def boxes(picture: str) -> dict[str, tuple[float, float]]:
    """Where the box of every concept is, by its id."""
    found = {}
    for group in ET.fromstring(picture).iter(f"{SVG}g"):
        [title], [rect] = group.findall(f"{SVG}title"), group.findall(f"{SVG}rect")
        found[title.text or ""] = (float(rect.attrib["x"]), float(rect.attrib["y"]))
    return found


def test_every_concept_has_a_box_and_every_branch_a_line(lungs: ConceptGraph) -> None:
    picture = neighbourhood_svg(neighbourhood(lungs, "x:asthma", "ehrig"))
    root = ET.fromstring(picture)
    labels = [text.text for text in root.iter(f"{SVG}text")]
    assert {"asthma", "1.00", "respiratory disease", "0.50", "disease", "0.25"} <= set(labels)
    assert len(boxes(picture)) == 4
    assert len(list(root.iter(f"{SVG}path"))) == 3
    assert root.attrib["aria-label"] == "The neighbourhood of asthma"


def test_a_relation_has_its_name_beside_it(lungs: ConceptGraph) -> None:
    root = ET.fromstring(neighbourhood_svg(neighbourhood(lungs, "x:inhaler", "ehrig")))
    assert [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "r"] == ["treats"]


def test_broader_is_on_the_left_and_the_rest_on_the_right(lungs: ConceptGraph) -> None:
    places = boxes(neighbourhood_svg(neighbourhood(lungs, "x:lung-disease", "ehrig")))
    columns = {concept: x for concept, (x, _) in places.items()}
    assert columns["x:thing"] < columns["x:disease"] < columns["x:lung-disease"]
    assert columns["x:lung-disease"] < columns["x:asthma"] == columns["x:flu"]


def test_all_boxes_are_apart_and_inside_the_picture(lungs: ConceptGraph) -> None:
    picture = neighbourhood_svg(neighbourhood(lungs, "x:disease", "ehrig"))
    _, _, width, height = map(float, ET.fromstring(picture).attrib["viewBox"].split())
    places = list(boxes(picture).values())
    assert all(0 <= x <= width - 190 and 0 <= y <= height - 24 for x, y in places)
    for number, (x, y) in enumerate(places):
        for other_x, other_y in places[number + 1 :]:
            assert abs(x - other_x) >= 190 or abs(y - other_y) >= 24


def test_a_concept_alone_is_a_picture() -> None:
    picture = neighbourhood_svg(Branch("x:a", "alone", "topic", 1.0))
    assert list(boxes(picture)) == ["x:a"]


@pytest.mark.parametrize("label", ["<script>alert(1)</script>", 'a "b" & c', "\x00\x0b\x1b\ufffe\ud800", "x" * 500, ""])
def test_no_label_breaks_the_picture(label: str) -> None:
    child = Branch(f"x:{label}", label, label or "near", 0.5)
    root = ET.fromstring(neighbourhood_svg(Branch("x:a", label, "topic", 1.0, (child,))))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "style", "g", "title", "rect", "text", "path",
    }  # fmt: skip


@given(st.text(), st.floats(-1, 2))
def test_any_text_and_weight_can_be_drawn(label: str, similarity: float) -> None:
    ET.fromstring(neighbourhood_svg(Branch("x:a", label, "topic", similarity)))
