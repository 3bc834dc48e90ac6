"""What pages say in RDF: JSON-LD, Microdata and RDFa, read without fetching anything.

- `statements`: what comes of it, and a quick look whether there is anything
- `collect`: all syntaxes together, bounded
- `json_ld`, `contexts`, `inlining`: blocks of JSON-LD, with contexts that are known here
- `microdata`, `microdata_values`: items and their properties
- `rdfa`, `rdfa_context`, `rdfa_terms`, `rdfa_literals`: RDFa 1.1 in HTML
- `terms`, `datatypes`: RDF terms from whatever was written
"""
