"""The rules of Hase und Igel: board, moves, positions.

``steps`` lists moves fast, ``judge`` checks one.
"""
