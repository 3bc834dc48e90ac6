"""From a topic to a collection, in Python. Needs no internet: run it with ``python``."""

from semcrawl import Crawl, Topic
from semcrawl.demo.web import demo_web
from semcrawl.graph import export
from semcrawl.web import ReplayServer

web = demo_web()
topic = Topic.parse("wordnet:respiratory_disease")

# The demo web is served on this machine; for the real one leave out proxy and delay.
with (
    ReplayServer(web.replay(), answers=web.respond) as server,
    Crawl(topic, web.seeds, pages=80, proxy=server.proxy, delay=0) as crawl,
):
    print(crawl.run())
    print(crawl.query("best-pages", limit=5).serialize("table"))
    pages = export(crawl.graph, "respiratory-disease.ttl")
    print(f"{pages} pages written to respiratory-disease.ttl")
