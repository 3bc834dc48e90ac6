"""Processes that work beside a crawl, a server or the lab: starting, talking, ending."""
