"""Make the report of runs, which is one HTML file with plots that needs nothing but itself.

``page`` puts it together, ``plots`` draws, ``figures`` calculates what is drawn.
"""
