"""What pages say in JSON-LD, Microdata and RDFa, read without fetching anything."""
