"""What pages say in RDF: JSON-LD, Microdata and RDFa, read without fetching anything.

- ``statements``: all syntaxes together, bounded
- ``json_ld``: blocks of JSON-LD, with contexts that are known here
- ``microdata``: items and their properties
- ``rdfa``: RDFa 1.1 in HTML, with ``rdfa_names`` (what prefixes and terms mean)
- ``terms``: RDF terms from what was written, and the limits that all share
"""
