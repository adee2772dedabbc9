"""Play matches between Python bots in processes that stay alive from match to match.

``pool`` keeps the processes and watches them. ``program`` is what runs in one, ``table`` plays one
match there, and ``seat`` is a bot at it.
"""
