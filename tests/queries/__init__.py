"""The named queries, each on a graph small enough to count by hand."""
