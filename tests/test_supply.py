"""The packages that semcrawl stands on: the versions that are here, and those that were tested."""

from __future__ import annotations

from importlib.metadata import version

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.constraints import FILE, declared, needed


def pinned() -> dict[str, Requirement]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    found = [Requirement(line) for line in lines if not line.startswith("#")]
    return {canonicalize_name(one.name): one for one in found}


def test_what_is_installed_is_what_the_project_and_its_packages_ask_for() -> None:
    for name, all_asked in needed().items():
        for asked in all_asked:
            assert asked.specifier.contains(version(name), prereleases=True), str(asked)


def test_tested_versions_are_exact_and_in_the_ranges_of_the_project() -> None:
    known = pinned()
    for one in known.values():
        (pin,) = one.specifier
        assert pin.operator == "=="
        assert one.url is None
    for asked in declared():
        (pin,) = known[canonicalize_name(asked.name)].specifier
        assert asked.specifier.contains(pin.version), str(asked)


def test_every_package_has_a_lower_bound() -> None:
    for asked in declared():
        assert {">=", "=="} & {bound.operator for bound in asked.specifier}, str(asked)
