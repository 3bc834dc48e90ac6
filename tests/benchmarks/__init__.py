"""Tests of what the benchmarks are made of."""
