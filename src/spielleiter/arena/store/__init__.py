"""Keep runs in a database, so that no finished match is ever lost or counted twice.

``writer`` adds, ``reader`` reads, ``check`` looks for mistakes, and ``replay`` plays a stored match
again. Nothing is imported here, because the database's packages take their time to load.
"""
