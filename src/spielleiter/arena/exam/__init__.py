"""Try a bot in everything that a bot must be able to do.

``duties`` goes through what ``steps`` names, and ``examination`` is the server that asks.
"""
