"""Play matches between programs.

Finds out who the programs are, starts them, and runs one game from start to result.
"""
