"""Depositing a collection: a folder with all that an archive asks for, and a report to read."""

from semcrawl.deposit.crate import write_crate

__all__ = ["write_crate"]
