"""How the demo web is made: pages about WordNet's concepts, with what crawlers must cope with."""
