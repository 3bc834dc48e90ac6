"""What a process has read before crawls are forked from it: modules, WordNet, a lens."""

from __future__ import annotations

from importlib import import_module

from semcrawl.crawl import Settings
from semcrawl.crawl.parts import make_judge, make_strategy
from semcrawl.demo.web import demo_web
from semcrawl.page.background import find_background
from semcrawl.topics import Topic

for _name in ("cli.crawl", "cli.crawl_run", "cli.main", "cli.sites", "web.http"):
    import_module(f"semcrawl.{_name}")
_settings, _topic = Settings(), Topic.parse(demo_web().main_topic.spec)
_background = find_background("", _topic)
_judge = make_judge(_settings, _topic, _background)
make_strategy(_settings, _topic, _background, _judge, demo_web().seeds)
