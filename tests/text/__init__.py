"""Tests of semcrawl.text, file by file."""
