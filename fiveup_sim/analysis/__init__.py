"""Pure functions: results in, data frames with low, best, high and n out. Every error comes from blocks."""
