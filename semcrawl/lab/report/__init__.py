"""The report of an experiment: HTML, Markdown, CSV, RDF and figures."""

from semcrawl.lab.report.markdown import markdown_tables
from semcrawl.lab.report.writing import write_report

__all__ = ["markdown_tables", "write_report"]
