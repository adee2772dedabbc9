"""Measure how fast things are.

A module here with a function ``cases() -> list[Case]`` is found and run by ``make bench``.
"""
