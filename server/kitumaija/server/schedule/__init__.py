"""Who plays whom: pure functions of the entrants, the format and a seed."""
