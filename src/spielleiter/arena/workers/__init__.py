"""Play matches between Python bots in processes that stay alive from match to match.

``pool`` keeps the processes and watches them, and ``program`` is what runs in one.
"""
