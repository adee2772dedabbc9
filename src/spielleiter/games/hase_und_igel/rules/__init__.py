"""The rules of Hase und Igel, with its board, moves and positions.

``steps`` lists moves fast, ``judge`` checks one.
"""
