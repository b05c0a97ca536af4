"""Tournaments: settings, lifecycle, schedule, dispatch, the director that plays them, standings."""
