"""Measure memory and clone on published benchmarks: suites are read here, runs and metrics follow."""
