"""Tests of semcrawl.topics, file by file."""
