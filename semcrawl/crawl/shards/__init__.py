"""A crawl in shards: many ordinary crawls, each of which owns a part of the sites."""
