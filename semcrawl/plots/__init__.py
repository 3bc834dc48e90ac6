"""Plots for terminals and as SVG."""
