"""All that numba compiles: the deal, the table, what a strategy sees, the kernel and its tallies."""
