"""`cortex bench`: synthetic libraries of any size, and how fast Cortex is on them.

Owns the making of libraries, the measurements and their report; searches, serves and indexes through the same parts and
processes that people use.
"""

from cortex.evals.bench.run import Plan, bench

__all__ = ["Plan", "bench"]
