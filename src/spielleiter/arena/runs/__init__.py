"""Play many matches so that nothing is lost, whatever ends a run.

``plan`` says what is to be played, ``runner`` does it, and ``saved_run`` finds it again.
"""
