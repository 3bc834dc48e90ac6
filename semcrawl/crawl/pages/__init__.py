"""Crawling for pages."""
