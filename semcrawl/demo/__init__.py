"""The demonstration: a small web that the package makes itself, and two crawls of it."""

from semcrawl.demo.web import DemoTopic, DemoWeb, demo_web

__all__ = ["DemoTopic", "DemoWeb", "demo_web"]
