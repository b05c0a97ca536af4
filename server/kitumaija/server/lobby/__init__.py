"""Where connected bots and running matches meet."""
