"""Make the report of runs: one HTML file with plots, which needs nothing but itself.

``page`` puts it together, ``plots`` draws, ``figures`` calculates what is drawn.
"""
