"""Play matches between programs.

Finds out who the programs are, starts them, and runs one match from start to result.
"""
