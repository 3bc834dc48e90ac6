"""Tests of semcrawl.page, file by file."""
