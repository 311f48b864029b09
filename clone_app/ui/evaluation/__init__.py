"""The Evaluation page: run a benchmark, see which memory is best, and why an answer failed."""
