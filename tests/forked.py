"""What a process has read before commands are forked from it: modules, WordNet, a lens."""

from __future__ import annotations

from importlib import import_module

from semcrawl.cli.main import COMMANDS
from semcrawl.crawl import Settings
from semcrawl.demo.web import demo_web
from semcrawl.page.background import find_background
from semcrawl.relevance import JUDGES
from semcrawl.strategies import STRATEGIES
from semcrawl.topics import Topic

_commands = {f"cli.{module}" for module, _ in COMMANDS.values()} - {"cli.lab"}
for _name in (*_commands, "cli.crawl_run", "models.apprentice", "serve.server", "web.http"):
    import_module(f"semcrawl.{_name}")
_settings, _topic = Settings(), Topic.parse(demo_web().main_topic.spec)
_background = find_background("", _topic)
_judge = JUDGES.create(_settings.judge, topic=_topic, background=_background)
STRATEGIES.create(_settings.strategy, topic=_topic, background=_background, judge=_judge, seeds=demo_web().seeds)
