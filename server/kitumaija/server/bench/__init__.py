"""How fast is it here? What `kitumaija bench` measures, and how it is told.

A machine's speed drifts while one looks at it, so only figures of the same minutes can be compared:
every scenario (`scenarios.py`) measures its sides in turns, a bare echo among them, and what counts
is the median of the ratios of the turns (`results.py`). An echo, the server and the bots are
processes of their own (`processes.py`, `echo.py`, `load.py`), so that none takes the other's time.
"""
